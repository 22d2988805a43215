package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages as they come: zips, directories, and ones that Lambda could not start. */
class PackageTest {
  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @Test
  void zip_keepsItsModes() throws Exception {
    Path zip = zip("rwxr-xr-x");

    try (var lambda = fake.start(fake.template("", 20, 2), config -> config.functionPackage(zip))) {
      assertThat(Caller.of(lambda).invoke("[1]").body()).isEqualTo("[1]");
    }
  }

  @Test
  void bootstrapWithoutItsMode_isPermissionDenied() throws Exception {
    Path zip = zip("rw-r--r--");

    refused(zip, "fork/exec /var/task/bootstrap: permission denied");
  }

  @Test
  void bootstrapOfAnotherMachine_isExecFormatError() throws Exception {
    byte[] elfForRiscV = new byte[64];
    System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F'}, 0, elfForRiscV, 0, 4);
    elfForRiscV[18] = (byte) 243;
    Files.write(fake.code().resolve("bootstrap"), elfForRiscV);

    refused(fake.code(), "fork/exec /var/task/bootstrap: exec format error");
  }

  @Test
  void noBootstrap_isNoSuchFile() throws Exception {
    Files.move(fake.code().resolve("bootstrap"), fake.code().resolve("bootstrap.sh"));

    refused(fake.code(), "fork/exec /var/task/bootstrap: no such file or directory");
  }

  @Test
  void noPackage_isSaidAtOnce() {
    Path nowhere = directory.resolve("nowhere.zip");

    assertThatThrownBy(
            () -> fake.start(fake.template("", 20, 2), config -> config.functionPackage(nowhere)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no package at " + nowhere);
  }

  /** Builds come and go; the packages of processes that still run stay. */
  @Test
  void oldPackages_areForgottenUnlessInUse() throws Exception {
    Path bootstrap = fake.code().resolve("bootstrap");
    String script = Files.readString(bootstrap);
    for (int build = 0; build < 9; build++) {
      age();
      Files.writeString(bootstrap, script + "# build " + build + "\n");
      fake.start().close();
      if (build < 4) {
        forgetUsers();
      }
    }
    try (Stream<Path> packages = Files.list(fake.cache())) {
      assertThat(packages.filter(Files::isDirectory)).hasSize(6);
    }
  }

  /** As if an hour had passed: times of files are no finer than the kernel's tick. */
  private void age() throws IOException {
    Files.createDirectories(fake.cache());
    try (Stream<Path> entries = Files.list(fake.cache())) {
      for (Path each : entries.toList()) {
        Instant before = Files.getLastModifiedTime(each).toInstant().minus(Duration.ofHours(1));
        Files.setLastModifiedTime(each, FileTime.from(before));
      }
    }
  }

  /** As if the process that used the packages so far had ended. */
  private void forgetUsers() throws IOException {
    try (Stream<Path> walk = Files.walk(fake.cache())) {
      for (Path file : walk.filter(path -> path.getParent().endsWith("users")).toList()) {
        Files.delete(file);
      }
    }
  }

  private void refused(Path code, String why) throws IOException {
    try (var lambda =
        fake.start(fake.template("", 20, 2), config -> config.functionPackage(code))) {
      var answer = Caller.of(lambda).invoke("{}");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"errorType\":\"Runtime.InvalidEntrypoint\"", why);
    }
  }

  private Path zip(String mode) throws IOException {
    Path zip = directory.resolve("function.zip");
    try (FileSystem system =
        FileSystems.newFileSystem(zip, Map.of("create", true, "enablePosixFileAttributes", true))) {
      Path target = system.getPath("/bootstrap");
      Files.copy(fake.code().resolve("bootstrap"), target);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
    }
    return zip;
  }
}
