package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.spillway.auth.Spilling;
import dev.spillway.locallambda.fault.Fault;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Timeout;

/** The table on WireMock, which answers what we think Lambda answers. */
@QuarkusTest
@TestProfile(Spilling.class)
@Timeout(120)
class WireMockFaultsTest extends FaultContract {
  /** Longer than the deadline of {@link Spilling}. */
  private static final int LATE_MILLIS = 5_000;

  @Override
  FaultyPeer start() {
    return new Peer(FakeFunction.start());
  }

  private record Peer(FakeFunction function) implements FaultyPeer {
    @Override
    public boolean inject(Fault fault) {
      switch (fault) {
        case THROTTLED_CONCURRENCY -> throttle("ConcurrentInvocationLimitExceeded");
        case THROTTLED_RATE -> throttle("FunctionInvocationRateLimitExceeded");
        case THROTTLED_RESERVED_CONCURRENCY ->
            throttle("ReservedFunctionConcurrentInvocationLimitExceeded");
        case THROTTLED_RESERVED_RATE -> throttle("ReservedFunctionInvocationRateLimitExceeded");
        case THROTTLED_CALLER -> throttle("CallerRateLimitExceeded");
        case THROTTLED_SNAPSHOTS -> throttle("ConcurrentSnapshotCreateLimitExceeded");
        case INTERNAL_ERROR -> Faults.INTERNAL_ERROR.provoke(function);
        case BAD_GATEWAY -> Faults.BAD_GATEWAY.provoke(function);
        case UNAVAILABLE -> Faults.UNAVAILABLE.provoke(function);
        case FORBIDDEN -> Faults.FORBIDDEN.provoke(function);
        case NOT_FOUND -> Faults.NOT_FOUND.provoke(function);
        case TOO_LARGE -> Faults.TOO_LARGE.provoke(function);
        case FUNCTION_ERROR, FAILS_FAST -> Faults.FUNCTION_ERROR.provoke(function);
        case HTML -> Faults.HTML.provoke(function);
        case EMPTY -> Faults.EMPTY.provoke(function);
        case TRUNCATED -> Faults.TRUNCATED.provoke(function);
        case WRONG_ID -> Faults.WRONG_ID.provoke(function);
        case WRONG_DIGEST -> function.answersWithAnotherDigest();
        case SHORT_DIGEST -> Faults.SHORT_DIGEST.provoke(function);
        case LONG_DIGEST -> Faults.LONG_DIGEST.provoke(function);
        case SILENT -> function.answers(ok().withFixedDelay(LATE_MILLIS));
        case DRIP ->
            function.answers(ok().withBody("{   }").withChunkedDribbleDelay(5, LATE_MILLIS));
        case RESET -> Faults.RESET.provoke(function);
        case CLOSED, CRASH, EXIT, SLOW_INIT, NO_INIT, SLOW, CLOCK_OFF, BAD_DAY -> {
          return false; // no process, no clock, and honest about what it closes
        }
      }
      return true;
    }

    private void throttle(String reason) {
      function.answers(
          aResponse()
              .withStatus(429)
              .withBody(
                  "{\"Reason\":\"%s\",\"Type\":\"User\",\"message\":\"Rate exceeded\"}"
                      .formatted(reason)));
    }

    private static ResponseDefinitionBuilder ok() {
      return aResponse().withStatus(200);
    }

    @Override
    public void heal() {
      function.computes();
    }

    @Override
    public int capacity() {
      return Spilling.MAX_OUTSTANDING;
    }

    @Override
    public void close() {
      function.close();
    }
  }
}
