package dev.spillway.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/library.md tells people to type what works. The blocks for Spring are the sample's own code,
 * and its test compares them.
 */
class LibraryPageTest {
  private static final Path PAGE = Path.of("../docs/library.md");

  @TempDir private Path classes;

  @Test
  void javaWithoutSpring_compilesAndRuns() throws Exception {
    List<String> blocks = blocks("java").filter(block -> !block.contains("@")).toList();
    assertThat(blocks).hasSize(1);
    assertThat(run(blocks.getFirst()))
        .containsPattern("^\\$2b\\$12\\$[./A-Za-z0-9]{53}, computed LOCAL\n")
        .contains("value=true");
  }

  @Test
  void dependency_isThisModule() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    List<String> coordinates =
        blocks("xml")
            .flatMap(
                block ->
                    Pattern.compile("<(groupId|artifactId|version)>.*").matcher(block).results())
            .map(MatchResult::group)
            .toList();
    assertThat(coordinates).hasSize(3).allSatisfy(line -> assertThat(pom).contains(line));
  }

  @Test
  void setting_isAMethodOfTheBuilder() throws Exception {
    List<String> named =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("\\|")[1])
            .flatMap(cell -> Pattern.compile("`(\\w+)`").matcher(cell).results())
            .map(name -> name.group(1))
            .toList();
    assertThat(Stream.of(PooledBcryptBuilder.class.getMethods()).map(method -> method.getName()))
        .containsAll(named);
    assertThat(named).hasSizeGreaterThan(8);
  }

  private String run(String block) throws Exception {
    String source =
        """
        import dev.spillway.core.bcrypt.BcryptHash;
        import dev.spillway.hashing.*;
        import java.nio.charset.StandardCharsets;
        import java.time.Duration;
        public class Typed {
          public static void run(java.io.PrintStream out) throws Exception {
            %s
          }
        }
        """
            .formatted(block.replace("System.out", "out"));
    var problems = new DiagnosticCollector<JavaFileObject>();
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                null,
                null,
                problems,
                List.of("-d", classes.toString(), "-proc:none"),
                null,
                List.of(
                    new SimpleJavaFileObject(
                        URI.create("string:///Typed.java"), JavaFileObject.Kind.SOURCE) {
                      @Override
                      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                      }
                    }))
            .call();
    assertThat(compiled)
        .as(
            () ->
                problems.getDiagnostics().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining("\n")))
        .isTrue();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (URLClassLoader loader =
        new URLClassLoader(
            new java.net.URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      loader
          .loadClass("Typed")
          .getMethod("run", PrintStream.class)
          .invoke(null, new PrintStream(out, true, StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Stream<String> blocks(String language) throws Exception {
    return Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> block.group(1));
  }
}
