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
    assertThat(one.codeUri()).contains(directory.resolve("build/one.zip"));
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
          Timeout: !If [Nobody, 1, 2]           | no condition Nobody
          Timeout: !If [Nobody, 1]              | Fn::If takes a condition and two values
          Timeout: !FindInMap [M, a, b]         | finds no M
          Timeout: !FindInMap [M, a]            | takes a map and two keys
          Environment: [a]                      | Environment is not a map
          """)
  void whatCannotBeServed_isNamed(String property, String why) {
    assertThatThrownBy(() -> read(function(property), Map.of()))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({
    "dev,  eu, 1, small, true,  false",
    "prod, eu, 2, large, false, true",
    "prod, us, 3, large, false, false"
  })
  void conditionsAndMappings_choose(
      String stage, String where, int timeout, String size, boolean extra, boolean both)
      throws Exception {
    String template =
        """
        Parameters:
          Stage: {Type: String}
          Where: {Type: String, AllowedValues: [eu, us]}
        Mappings:
          Sizes: {dev: {Name: small, Memory: 512}, prod: {Name: large, Memory: 1769}}
        Conditions:
          Production: !Equals [!Ref Stage, prod]
          Europe: !Equals [eu, !Ref Where]
          Both: !And [!Condition Production, !Condition Europe]
          Neither: !Not [!Or [Condition: Production, !Equals [!Ref Stage, test]]]
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties:
              CodeUri: code
              MemorySize: !FindInMap [Sizes, !Ref Stage, Memory]
              Timeout: !If [Both, 2, !If [Neither, 1, 3]]
              ReservedConcurrentExecutions: !If [Both, 7, !Ref AWS::NoValue]
              Environment:
                Variables:
                  SIZE: !FindInMap [Sizes, !Ref Stage, Name]
                  BOTH: !If [Both, "yes", !Ref AWS::NoValue]
          G:
            Type: AWS::Serverless::Function
            Condition: Neither
            Properties: {CodeUri: code}
        """;

    var functions = read(template, Map.of("Stage", stage, "Where", where));

    assertThat(functions).hasSize(extra ? 2 : 1);
    assertThat(functions.getFirst().timeout()).isEqualTo(Duration.ofSeconds(timeout));
    assertThat(functions.getFirst().reservedConcurrency().isPresent()).isEqualTo(both);
    assertThat(functions.getFirst().environment())
        .isEqualTo(both ? Map.of("SIZE", size, "BOTH", "yes") : Map.of("SIZE", size));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {A: !Condition B, B: !Condition A}    | in a circle: [A, B]
          {A: !Condition C}                     | no condition C
          {A: !Equals [a]}                      | Fn::Equals takes 2 to 2
          {A: !Sub a}                           | Fn::Sub makes no condition
          {A: yes}                              | a condition was expected
          """)
  void conditionsThatCannotBeTold_areNamed(String conditions, String why) {
    assertThatThrownBy(
            () -> read("Conditions: " + conditions + "\n" + function("Timeout: 1"), Map.of()))
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
        .hasMessageContaining("has no function");
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
