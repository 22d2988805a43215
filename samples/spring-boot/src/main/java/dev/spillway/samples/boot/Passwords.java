package dev.spillway.samples.boot;

import dev.spillway.hashing.PooledBcrypt;
import dev.spillway.hashing.spring.SpillwayPasswordEncoder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Which encoder hashes: ours, or with the profile {@code plain} Spring's own for comparison. */
@Configuration
class Passwords {
  @Bean
  @Profile("!plain")
  PooledBcrypt bcrypt() throws InterruptedException {
    PooledBcrypt bcrypt = PooledBcrypt.builder().build();
    bcrypt.warmUp();
    return bcrypt;
  }

  @Bean
  @Profile("!plain")
  PasswordEncoder encoder(PooledBcrypt bcrypt) {
    return new SpillwayPasswordEncoder(bcrypt);
  }

  @Bean
  @Profile("plain")
  PasswordEncoder plain() {
    return new BCryptPasswordEncoder(12);
  }
}
