package dev.spillway.auth.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.ConfigText;
import dev.spillway.auth.FreePort;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagementConfigTest {
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void stop() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void byDefault_thereIsNoSuchPort() throws JsonProcessingException {
    ManagementConfig config = ConfigText.read(ManagementConfig.class);
    assertThat(config.port()).isEmpty();
    assertThat(config.address()).isEqualTo("127.0.0.1");
    ManagementPort port = new ManagementPort(config, VERTX, new ObjectMapper());
    port.customizeHttpServer(new HttpServerOptions().setPort(8080));
    port.stop(new ShutdownEvent());
  }

  @Test
  void everyKey_canBeSet() {
    ManagementConfig config =
        ConfigText.read(
            ManagementConfig.class,
            "spillway.management.port",
            "65535",
            "spillway.management.address",
            "0.0.0.0");
    assertThat(config.port()).hasValue(65_535);
    assertThat(config.address()).isEqualTo("0.0.0.0");
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.management.port, 0",
    "spillway.management.port, 65536",
    "spillway.management.port, -1",
    "spillway.management.port, http",
    "spillway.management.nonsense, 1",
  })
  void impossibleOrUnknown_isRefused(String key, String value) {
    assertThatThrownBy(() -> ConfigText.read(ManagementConfig.class, key, value))
        .hasMessageContaining(key);
  }

  @Test
  void mainPort_isRefused() {
    assertThatThrownBy(() -> open(8080, "127.0.0.1", 8080))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spillway.management.port")
        .hasMessageContaining("quarkus.http.port");
  }

  @Test
  void portThatCannotBeHad_isRefused() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(() -> open(taken.getLocalPort(), "127.0.0.1", 8080))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("spillway.management.port")
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
    assertThatThrownBy(() -> open(FreePort.next(), "192.0.2.1", 8080))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("192.0.2.1");
  }

  @Test
  void port_isOpenUntilTheEnd() throws IOException {
    int free = FreePort.next();
    ManagementPort port = open(free, "127.0.0.1", 8080);
    new Socket("127.0.0.1", free).close();
    port.stop(new ShutdownEvent());
    // The JDK's selector lets go of a closed socket when it selects the next time.
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> new Socket("127.0.0.1", free).close())
                    .isInstanceOf(ConnectException.class));
  }

  private static ManagementPort open(int at, String address, int main)
      throws JsonProcessingException {
    ManagementConfig config =
        ConfigText.read(
            ManagementConfig.class,
            "spillway.management.port",
            String.valueOf(at),
            "spillway.management.address",
            address);
    ManagementPort port = new ManagementPort(config, VERTX, new ObjectMapper());
    port.customizeHttpServer(new HttpServerOptions().setPort(main));
    return port;
  }
}
