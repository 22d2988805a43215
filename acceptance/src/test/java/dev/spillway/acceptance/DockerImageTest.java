package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DockerImageTest {
  private static final DockerImage IMAGE = new DockerImage("localstack/localstack:4.14.0");
  private static final List<String> PRESENT = List.of("true");
  private static final List<String> ABSENT = List.of("false");

  @Test
  void imageIsThere_noObstacle() {
    assertThat(IMAGE.obstacle(PRESENT, "")).isEmpty();
    assertThat(IMAGE.obstacle(PRESENT, "unix:///run/user/1000/docker.sock")).isEmpty();
  }

  @Test
  void imageIsNotThere_saysHowToGetIt() {
    assertThat(IMAGE.obstacle(ABSENT, ""))
        .hasValueSatisfying(
            said -> assertThat(said).contains("docker pull localstack/localstack:4.14.0"));
  }

  @Test
  void noDocker_saysSo() {
    assertThat(IMAGE.obstacle(List.of("/no/such/docker"), "")).contains("there is no Docker");
  }

  @Test
  void dockerOfAnotherMachine_saysSo() {
    for (String host : List.of("tcp://build.example:2376", "ssh://build.example")) {
      assertThat(IMAGE.obstacle(PRESENT, host))
          .hasValueSatisfying(said -> assertThat(said).contains("another machine"));
    }
  }
}
