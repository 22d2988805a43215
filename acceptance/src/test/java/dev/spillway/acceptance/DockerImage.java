package dev.spillway.acceptance;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An image that the Docker of this machine may have. The CLI is asked, because Testcontainers would
 * pull images of its own before it answers, and fail after minutes where no registry is reached.
 */
record DockerImage(String name) {
  private static final long ANSWER_SECONDS = 30;

  /** Why a test cannot run it here and call it on loopback; empty where it can. */
  Optional<String> obstacle(List<String> docker, String host) {
    if (host.contains("://") && !host.startsWith("unix:")) {
      return Optional.of(
          "DOCKER_HOST is another machine, and the service calls http on loopback only");
    }
    Process inspect;
    try {
      inspect =
          new ProcessBuilder(docker)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return Optional.of("there is no Docker");
    }
    try {
      if (!inspect.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        return Optional.of("Docker does not answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    } finally {
      inspect.destroyForcibly();
    }
    return inspect.exitValue() == 0
        ? Optional.empty()
        : Optional.of("Docker has no image " + name + " (docker pull " + name + ")");
  }

  Optional<String> obstacle() {
    return obstacle(
        List.of("docker", "image", "inspect", name),
        Optional.ofNullable(System.getenv("DOCKER_HOST")).orElse(""));
  }
}
