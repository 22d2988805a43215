package dev.spillway.console.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.console.Commands;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizingTest {
  private static Sizing sizing(double usual, double peak, OptionalInt vcpus) {
    return Sizing.of(
        new Sizing.Demand(usual, peak, 60, 12, vcpus, Architecture.ARM64, Measured.alone(12)));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 600, 3_000, 20_000})
  void usualLoad_isHashedHere_onTheFewestCores(int logins) {
    Sizing sizing = sizing(logins, logins, OptionalInt.empty());
    assertThat(sizing.usual().share()).isLessThanOrEqualTo(Sizing.REFUSED_AT_MOST);
    assertThat(sizing.vcpusWithoutSpill()).isEqualTo(sizing.vcpus());
    if (sizing.vcpus() > 1) {
      assertThat(sizing(logins, logins, OptionalInt.of(sizing.vcpus() - 1)).usual().share())
          .isGreaterThan(Sizing.REFUSED_AT_MOST);
    }
  }

  /** Little's law, by hand: each spilled login is in flight for 203.6 + 20 ms. */
  @Test
  void concurrency_isTheCallsInFlightAndThreeDeviations() {
    Sizing sizing = sizing(600, 6_000, OptionalInt.of(2));
    double inFlight = sizing.peak().spilled() / 60 * 0.2236;
    assertThat(sizing.peak().inFlight()).isCloseTo(inFlight, within(1e-9));
    assertThat(sizing.concurrency()).isEqualTo((int) Math.ceil(inFlight + 3 * Math.sqrt(inFlight)));
    assertThat(sizing.peak().here() + sizing.peak().spilled()).isCloseTo(6_000, within(1e-6));
  }

  @Test
  void month_isThePeaksSpillsAndTheRestsOfTheDay() {
    Sizing sizing = sizing(600, 6_000, OptionalInt.of(2));
    double spilled =
        365 / 12.0 * (60 * sizing.peak().spilled() + 23 * 60 * sizing.usual().spilled());
    assertThat(sizing.spilledPerMonth()).isCloseTo(spilled, within(1.0));
    assertThat(sizing.functionPerMonth())
        .isCloseTo(spilled * LambdaPrice.ARM64.perLogin(Measured.alone(12)), within(1e-6));
  }

  /** 1,000 logins a second take 3.2 cores beside their hashes, which is to be half at most. */
  @Test
  void peak_needsCoresForWhatIsNotHashingToo() {
    assertThat(sizing(10, 60_000, OptionalInt.empty()).vcpus()).isEqualTo(7);
    assertThat(sizing(10, 60_000, OptionalInt.of(2)).tooSmallForThePeak()).isTrue();
    assertThat(sizing(10, 60_000, OptionalInt.of(7)).tooSmallForThePeak()).isFalse();
  }

  @Test
  void noLoad_isSizedToo() {
    Sizing sizing = sizing(0, 0, OptionalInt.empty());
    assertThat(sizing.vcpus()).isEqualTo(1);
    assertThat(sizing.concurrency()).isEqualTo(1);
    assertThat(sizing.functionPerMonth()).isZero();
  }

  /** docs/capacity.md: 204 ms cost $0.0000049; an hour of 50 a second 88 cents. */
  @Test
  void prices_areThoseOfTheCapacityArgument() {
    double login = LambdaPrice.ARM64.perLogin(Duration.ofMillis(204));
    assertThat(login).isCloseTo(0.0000049, within(0.00000005));
    assertThat(50 * 3600 * login).isCloseTo(0.88, within(0.005));
    // 0.25 s at 1,769 MB: 5.76 millionths of a dollar, and 0.2 for the request.
    assertThat(LambdaPrice.ARM64.loginsPerDollar(Duration.ofMillis(250)))
        .isBetween(167_000.0, 168_500.0);
    // template.yaml: an hour of 50 busy environments. docs/deploy.md: two tasks of two vCPU.
    assertThat(LambdaPrice.ARM64.busyHour(50, Duration.ofMillis(204))).isCloseTo(4.3, within(0.05));
    assertThat(FargatePrice.ARM64.perMonth(4)).isCloseTo(115, within(0.5));
  }

  @Test
  void json_holdsTheSameFigures() throws Exception {
    Commands.Outcome outcome =
        Commands.run(
            "size --logins-per-minute 600 --peak 6000 --arch X86_64 --call 250ms --json"
                .split(" "));
    assertThat(outcome.exit()).isZero();
    JsonNode json = new ObjectMapper().readTree(outcome.out());
    Sizing sizing =
        Sizing.of(
            new Sizing.Demand(
                600,
                6_000,
                60,
                12,
                OptionalInt.empty(),
                Architecture.X86_64,
                Duration.ofMillis(250)));
    assertThat(json.at("/service/vcpus").asInt()).isEqualTo(sizing.vcpus());
    assertThat(json.at("/function/reservedConcurrency").asInt()).isEqualTo(sizing.concurrency());
    assertThat(json.at("/function/dollarsPerMonth").asDouble())
        .isCloseTo(sizing.functionPerMonth(), within(0.005));
    assertThat(json.at("/demand/architecture").asText()).isEqualTo("x86_64");
    assertThat(json.at("/withoutSpill/vcpus").asInt()).isEqualTo(sizing.vcpusWithoutSpill());
  }

  /** The largest sums it takes included, which must not take a minute. */
  @Timeout(20)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "size --logins-per-minute 600 --peak 6000",
        "size --logins-per-minute 1e6 --peak 1e6 --cost 15",
        "size --logins-per-minute 1e6 --peak 1e6 --cost 4 --vcpus 1 --arch x86_64",
        "size --logins-per-minute 0 --peak 1e6 --cost 15 --vcpus 1 --peak-minutes 1440"
      })
  void noLineOfTheTable_isWiderThanATerminal(String command) {
    assertThat(Commands.run(command.split(" ")).out().lines())
        .isNotEmpty()
        .allMatch(line -> line.length() <= 80);
  }
}
