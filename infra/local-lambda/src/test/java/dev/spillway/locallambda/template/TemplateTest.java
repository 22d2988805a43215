package dev.spillway.locallambda.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
  @TempDir Path directory;

  @Test
  void everythingResolves() throws Exception {
    var functions =
        read(
            """
            Transform: AWS::Serverless-2016-10-31
            Globals:
              Function:
                Timeout: 7
                MemorySize: 512
                Environment: {Variables: {SHARED: global, MINE: global}}
            Parameters:
              Reserved: {Type: Number, Default: 5}
              Stage: {Type: String, Default: dev, AllowedValues: [dev, prod]}
            Resources:
              Table: {Type: AWS::DynamoDB::Table}
              One:
                Type: AWS::Serverless::Function
                Properties:
                  FunctionName: !Sub "one-${Stage}"
                  CodeUri: build/one.zip
                  Handler: a.B::c
                  Timeout: !Ref Reserved
                  ReservedConcurrentExecutions: {Ref: Reserved}
                  AutoPublishAlias: live
                  Architectures: [!If [Arm, arm64, x86_64]]
                  Environment:
                    Variables:
                      MINE: own
                      ARN: !GetAtt Two.Arn
                      SUB: !Sub ["${A}/${AWS::Region}/${!X}/${Two.Arn}", {A: !Ref Stage}]
                      NAME: !Ref Two
                      JOIN: !Join ["-", [a, !Ref Stage]]
                      NONE: !Ref AWS::NoValue
              Two:
                Type: AWS::Serverless::Function
                Properties: {CodeUri: ./two}
            """,
            Map.of("Stage", "prod"));

    var one = functions.getFirst();
    assertThat(one.name()).isEqualTo("one-prod");
    assertThat(one.codeUri()).isEqualTo(directory.resolve("build/one.zip"));
    assertThat(one.handler()).isEqualTo("a.B::c");
    assertThat(one.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(one.memoryMegabytes()).isEqualTo(512);
    assertThat(one.reservedConcurrency()).isEqualTo(OptionalInt.of(5));
    assertThat(one.alias()).isEqualTo(Optional.of("live"));
    String two = "arn:aws:lambda:eu-central-1:000000000000:function:Two";
    assertThat(one.environment())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "SHARED", "global",
                "MINE", "own",
                "ARN", two,
                "SUB", "prod/eu-central-1/${X}/" + two,
                "NAME", "Two",
                "JOIN", "a-prod"));
    assertThat(functions.get(1).timeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(functions.get(1).reservedConcurrency()).isEmpty();
  }

  @Test
  void defaults_areLambdas() throws Exception {
    var function = read(function("Handler: x"), Map.of()).getFirst();

    assertThat(function.memoryMegabytes()).isEqualTo(128);
    assertThat(function.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(function.version()).isEqualTo("$LATEST");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MemorySize: 64                        | MemorySize must be 128 to 10240
          Timeout: 901                          | Timeout must be 1 to 900 seconds
          Timeout: soon                         | Timeout must be a whole number
          Timeout: !Ref Nobody                  | Ref to Nobody
          Handler: !ImportValue X               | Fn::ImportValue is not resolved here
          Handler: !GetAtt Table.Arn            | only a function's Arn
          Environment: {Variables: {TZ: a, _HANDLER: b}} | reserves the variable _HANDLER
          FunctionName: "no name"               | not a function name
          """)
  void whatCannotBeServed_isNamed(String property, String why) {
    assertThatThrownBy(() -> read(function(property), Map.of()))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(why);
  }

  @Test
  void parameters_areChecked() {
    String template =
        "Parameters: {A: {Type: String, AllowedValues: [x]}}\n" + function("Timeout: 1");

    assertThatThrownBy(() -> read(template, Map.of("B", "1")))
        .hasMessageContaining("no parameter B");
    assertThatThrownBy(() -> read(template, Map.of())).hasMessageContaining("A has no default");
    assertThatThrownBy(() -> read(template, Map.of("A", "y"))).hasMessageContaining("one of [x]");
  }

  @Test
  void templateWithoutFunctions_isRefused() {
    assertThatThrownBy(() -> read("Resources: {}", Map.of()))
        .hasMessageContaining("no AWS::Serverless::Function");
    assertThatThrownBy(() -> read("- a", Map.of())).hasMessageContaining("not a map");
    assertThatThrownBy(() -> read("a: [", Map.of())).hasMessageContaining("not YAML");
  }

  private static String function(String property) {
    return """
    Resources:
      F:
        Type: AWS::Serverless::Function
        Properties:
          CodeUri: code
          %s
    """
        .formatted(property);
  }

  private List<FunctionSettings> read(String template, Map<String, String> parameters)
      throws IOException {
    Path file = Files.writeString(directory.resolve("template.yaml"), template);
    return Template.read(file, parameters, Account.in("eu-central-1"));
  }
}
