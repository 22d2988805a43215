package dev.spillway.auth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SamplesTest {
  private static final Duration EVERY = Duration.ofMillis(20);

  private final AtomicInteger taken = new AtomicInteger();
  private final Samples samples =
      new Samples(2, EVERY, () -> Integer.toString(taken.incrementAndGet()));

  /** V1. */
  @Test
  void oneViewerMoreThanThereArePlaces_findsNone_untilOneHasLeft() {
    var first = look();
    var second = look();

    assertThat(samples.look(() -> true)).isEmpty();
    first.cancel();

    await().until(() -> samples.freePlaces() == 1);
    var third = look();
    third.awaitNextItem();
    second.cancel();
    third.cancel();
    await().until(() -> samples.freePlaces() == 2);
  }

  /** V2. */
  @Test
  void aSampleIsTakenOnceForAll_andNoneWhileNobodyLooks() {
    assertThat(taken).hasValue(0);
    var first = look();
    var second = look();
    await().until(() -> first.getItems().size() >= 5 && second.getItems().size() >= 5);
    second.cancel(); // first: a sample between the two is not its alone
    first.cancel();

    assertThat(first.getItems()).doesNotHaveDuplicates().containsAll(second.getItems());
    assertThat(taken.get()).isLessThanOrEqualTo(first.getItems().size() + 1);
    await().during(EVERY.multipliedBy(10)).until(stable());
    var again = look();
    again.awaitNextItem();
    again.cancel();
  }

  /** V3. */
  @Test
  void aSlowViewer_holdsUpNobody() {
    var slow =
        samples
            .look(() -> true)
            .orElseThrow()
            .subscribe()
            .withSubscriber(AssertSubscriber.create(1));
    var quick = look();

    await().until(() -> quick.getItems().size() >= 10);
    slow.request(1);
    await().until(() -> slow.getItems().size() >= 2);

    assertThat(slow.getItems().size()).isLessThanOrEqualTo(3);
    slow.cancel();
    quick.cancel();
  }

  /** V4. */
  @Test
  void whenTheDrainBegins_everyStreamEnds_andNoneBegins() {
    var viewer = look();
    viewer.awaitNextItem();

    samples.drain();

    viewer.awaitCompletion();
    assertThat(samples.look(() -> true)).isEmpty();
    assertThat(samples.freePlaces()).isEqualTo(2);
  }

  /** V5. A place that was kept by a token's end was never given back. */
  @Test
  void whoMayNotLookAnyMore_seesNoSampleMore_andItsPlaceIsFree() {
    AtomicBoolean may = new AtomicBoolean(true);
    var viewer =
        samples
            .look(may::get)
            .orElseThrow()
            .subscribe()
            .withSubscriber(AssertSubscriber.create(Long.MAX_VALUE));
    viewer.awaitNextItem();

    may.set(false);

    viewer.awaitCompletion();
    await().until(() -> samples.freePlaces() == 2);
  }

  /** V5. It asks for one sample and then reads no further. */
  @Test
  void placeOfAViewerThatDoesNotRead_isFreeToo() {
    AtomicBoolean may = new AtomicBoolean(true);
    var viewer =
        samples.look(may::get).orElseThrow().subscribe().withSubscriber(AssertSubscriber.create(1));
    await().until(() -> viewer.getItems().size() == 1); // awaitNextItem would ask for one more

    may.set(false);

    await().until(() -> samples.freePlaces() == 2);
    assertThat(viewer.getItems()).hasSize(1);
  }

  private java.util.concurrent.Callable<Boolean> stable() {
    int now = taken.get();
    return () -> taken.get() <= now + 1;
  }

  private AssertSubscriber<String> look() {
    return samples
        .look(() -> true)
        .orElseThrow()
        .subscribe()
        .withSubscriber(AssertSubscriber.create(Long.MAX_VALUE));
  }
}
