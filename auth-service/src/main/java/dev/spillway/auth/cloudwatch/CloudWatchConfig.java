package dev.spillway.auth.cloudwatch;

import io.smallrye.config.ConfigMapping;
import jakarta.validation.constraints.Pattern;
import java.util.Optional;

/** Whether CloudWatch is told what the service measures. */
@ConfigMapping(prefix = "spillway.cloudwatch")
public interface CloudWatchConfig {
  /**
   * The dimension {@code service} of every metric; all instances of one service share it. Absent,
   * nothing is sent.
   */
  Optional<@Pattern(regexp = "[A-Za-z0-9._/-]{1,250}") String> service();
}
