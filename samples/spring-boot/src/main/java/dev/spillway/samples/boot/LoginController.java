package dev.spillway.samples.boot;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A login against users in memory, and an endpoint that says that the application is alive. */
@RestController
class LoginController {
  private final PasswordEncoder encoder;
  private final Map<String, String> hashes;
  private final String decoy;

  record Credentials(String login, String password) {}

  LoginController(PasswordEncoder encoder) {
    this.encoder = encoder;
    this.hashes = Map.of("demo", encoder.encode("demo"));
    this.decoy = encoder.encode("nobody's");
  }

  @PostMapping("/login")
  ResponseEntity<Void> login(@RequestBody Credentials credentials) {
    String stored = hashes.get(credentials.login());
    // Unknown users cost a hash too: else the time of an answer would tell who has an account.
    boolean matches = encoder.matches(credentials.password(), stored == null ? decoy : stored);
    return ResponseEntity.status(matches && stored != null ? 200 : 401).build();
  }

  @GetMapping("/health")
  String health() {
    return "up";
  }
}
