package dev.spillway.auth.passwords;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreachedFileTest {
  private static final HexFormat HEX = HexFormat.of();

  @TempDir Path directory;

  /** Against a set, in every shape that a line may have, at sizes around those of a block. */
  @Test
  void contains_whatTheSetContains() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Shape shape = Shape.random(random);
      int size = random.nextBoolean() ? 1 + random.nextInt(200) : 1 + random.nextInt(5_000);
      TreeSet<byte[]> digests = new TreeSet<>(Arrays::compareUnsigned);
      while (digests.size() < size) {
        digests.add(shape.digest(random));
      }
      BreachedFile file = write(shape.text(digests, random));
      assertThatCode(file::check).as("seed %d", seed).doesNotThrowAnyException();
      for (byte[] digest : some(digests, random)) {
        assertThat(file.contains(digest)).as("seed %d, one of the set", seed).isTrue();
        for (byte[] near : new byte[][] {next(digest, 1), next(digest, -1)}) {
          assertThat(file.contains(near))
              .as("seed %d, beside one of the set", seed)
              .isEqualTo(digests.contains(near));
        }
        byte[] other = shape.digest(random);
        assertThat(file.contains(other)).as("seed %d", seed).isEqualTo(digests.contains(other));
      }
      assertThat(file.contains(digests.first())).as("seed %d, the first", seed).isTrue();
      assertThat(file.contains(digests.last())).as("seed %d, the last", seed).isTrue();
      assertThat(file.contains(new byte[20])).isEqualTo(digests.contains(new byte[20]));
      assertThat(file.contains(ones())).isEqualTo(digests.contains(ones()));
    }
  }

  /** As while another list is copied over it. */
  @Test
  void emptied_isNoListOfNothing() throws IOException {
    BreachedFile file = write("f3bbbd66a63d4bf1747940578ec3d0103530e21d\n");
    Files.write(Path.of(file.toString()), new byte[0]);

    assertThatThrownBy(() -> file.contains(new byte[20]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("empty");
  }

  /** By sha1sum: printf hunter2 | sha1sum. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f3bbbd66a63d4bf1747940578ec3d0103530e21d",
        "F3BBBD66A63D4BF1747940578EC3D0103530E21D:17043\r\n",
        "f3bbbd66a63d4bf1747940578ec3d0103530e21d:1\n",
        "F3BBBD66A63D4BF1747940578EC3D0103530E21D:18446744073709551615\r\n",
      })
  void onlyLine_isFound(String text) throws IOException {
    BreachedFile file = write(text);
    file.check();
    assertThat(file.contains(Lists.sha1("hunter2"))).isTrue();
    assertThat(file.contains(Lists.sha1("hunter3"))).isFalse();
  }

  @Test
  void sameLineTwice_isFine() throws IOException {
    BreachedFile file = write((HEX.formatHex(ones()) + "\n").repeat(1_000));
    file.check();
    assertThat(file.contains(ones())).isTrue();
    assertThat(file.contains(new byte[20])).isFalse();
  }

  static Stream<Arguments> unusable() {
    String low = "0".repeat(40) + "\n";
    String high = "F".repeat(40) + "\n";
    return Stream.of(
        Arguments.of("", "empty"),
        Arguments.of("\n", "digests"),
        Arguments.of("hunter2\n", "digests"),
        Arguments.of("0".repeat(39) + "\n", "digests"),
        Arguments.of("0".repeat(41) + "\n", "digests"),
        Arguments.of("0".repeat(40) + " 17\n", "digests"),
        Arguments.of("0".repeat(39), "digests"),
        Arguments.of("0".repeat(10_000), "digests"),
        Arguments.of(low + "\n" + high, "digests"),
        Arguments.of(low + "0".repeat(39), "digests"),
        Arguments.of("\uFEFF" + low, "digests"),
        Arguments.of("8846F7EAEE8FB117AD06BDD830B7586C:1\n", "digests"),
        Arguments.of(high + low, "sorted"),
        Arguments.of(low.repeat(20_000) + high + low, "sorted"),
        Arguments.of(high + low.repeat(20_000), "sorted"),
        Arguments.of(low + high.repeat(500_000) + low.repeat(500_000) + high.repeat(500), "sorted"),
        Arguments.of(low.repeat(20_000) + "hunter2\n", "digests"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void fileOfAnotherKind_isRefused(String text, String why) throws IOException {
    BreachedFile file = write(text);
    assertThatThrownBy(file::check).isInstanceOf(IOException.class).hasMessageContaining(why);
  }

  @Test
  void whatIsNoReadableFile_isRefused() throws IOException {
    assertThatThrownBy(new BreachedFile(directory.resolve("none"))::check)
        .hasMessageContaining("no such file");
    assertThatThrownBy(new BreachedFile(directory)::check).hasMessageContaining("no file");
  }

  /** An exception that said where would tell of the digest. */
  @Test
  void fileThatBroke_isAnErrorThatTellsNothing() throws IOException {
    List<byte[]> digests = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      digests.add(Shape.whole(random));
    }
    digests.sort(Arrays::compareUnsigned);
    StringBuilder text = new StringBuilder();
    digests.forEach(digest -> text.append(HEX.formatHex(digest)).append('\n'));
    BreachedFile file = write(text.toString());
    try (RandomAccessFile broken = new RandomAccessFile(path().toFile(), "rw")) {
      broken.seek(1_000);
      broken.write("x".repeat(200_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    byte[] sought = digests.get(2_000);
    assertThatThrownBy(() -> file.contains(sought))
        .isInstanceOf(IOException.class)
        .hasMessage("its lines are not SHA-1 digests of 40 hexadecimal digits each");
  }

  /** Each search opens it anew. */
  @Test
  void fileThatIsReplaced_isUsed() throws IOException {
    BreachedFile file = write("0".repeat(40) + "\n");
    assertThat(file.contains(ones())).isFalse();
    Files.move(
        Files.writeString(directory.resolve("newer"), "F".repeat(40)),
        path(),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    assertThat(file.contains(ones())).isTrue();
    Files.delete(path());
    assertThatThrownBy(() -> file.contains(ones())).isInstanceOf(IOException.class);
  }

  private Path path() {
    return directory.resolve("list");
  }

  private BreachedFile write(String text) throws IOException {
    return new BreachedFile(Files.writeString(path(), text));
  }

  private static List<byte[]> some(TreeSet<byte[]> digests, Random random) {
    return digests.stream().filter(each -> random.nextInt(digests.size()) < 40).toList();
  }

  private static byte[] ones() {
    byte[] ones = new byte[20];
    Arrays.fill(ones, (byte) 0xFF);
    return ones;
  }

  private static byte[] next(byte[] digest, int by) {
    byte[] near = digest.clone();
    near[19] += (byte) by;
    return near;
  }

  /** How a file is written, and how close its digests lie. */
  private record Shape(boolean upper, int mostDigitsOfCount, String end, boolean ends, int same) {
    static Shape random(Random random) {
      return new Shape(
          random.nextBoolean(),
          random.nextInt(21),
          random.nextBoolean() ? "\n" : "\r\n",
          random.nextBoolean(),
          random.nextInt(3) * 9);
    }

    static byte[] whole(Random random) {
      byte[] digest = new byte[20];
      random.nextBytes(digest);
      return digest;
    }

    /** So that neighbours share their first bytes. */
    byte[] digest(Random random) {
      byte[] digest = whole(random);
      Arrays.fill(digest, 0, same, (byte) 0xA7);
      return digest;
    }

    String text(TreeSet<byte[]> digests, Random random) {
      HexFormat hex = upper ? HEX.withUpperCase() : HEX;
      StringBuilder text = new StringBuilder();
      for (byte[] digest : digests) {
        text.append(hex.formatHex(digest));
        int count = mostDigitsOfCount == 0 ? 0 : random.nextInt(mostDigitsOfCount + 1);
        text.append(count == 0 ? "" : ":" + "7".repeat(count)).append(end);
      }
      if (!ends) {
        text.setLength(text.length() - end.length());
      }
      return text.toString();
    }
  }
}
