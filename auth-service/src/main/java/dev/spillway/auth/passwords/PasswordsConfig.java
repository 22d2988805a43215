package dev.spillway.auth.passwords;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** Which passwords nobody may set, beyond those that nobody can have. See docs/security.md. */
@ConfigMapping(prefix = "spillway.passwords")
interface PasswordsConfig {
  /** SHA-1 digests of breached passwords, a line each, in ascending order. Unset: none is asked. */
  Optional<Path> breachedFile();
}
