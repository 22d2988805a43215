package dev.spillway.auth.passwords;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.Optional;

/** Which passwords nobody may set, beyond those that nobody can have. See docs/security.md. */
@ConfigMapping(prefix = "spillway.passwords")
interface PasswordsConfig {
  /** SHA-1 digests of breached passwords, a line each, in ascending order. Unset: none is asked. */
  Optional<Path> breachedFile();

  /**
   * Fewest characters of a password that is set; NIST SP 800-63B-4 asks for 8 beside another
   * factor, and for 15 where there is none. Passwords of imported hashes may be shorter.
   */
  @Min(1)
  @Max(64)
  @WithDefault("8")
  int minLength();
}
