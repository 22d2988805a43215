package dev.spillway.auth.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The {@link Gate} by a clock that stands still until it is moved. */
class GateTest {
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Hasher hasher = new Hasher();
  private final Gate gate = new Gate(hasher, MAX_WAIT, now::get, this::later);

  private record Timer(long atNanos, Runnable end) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return Long.compare(atNanos, other.atNanos);
    }
  }

  /** Eight at once, and 100 of them a second. */
  private static final class Hasher implements Gate.Capacity {
    int served = 8;
    double perSecond = 100;

    @Override
    public int served() {
      return served;
    }

    @Override
    public int inLine(Duration wait) {
      return Math.max(2, (int) (perSecond * wait.toMillis() / 1e3));
    }

    @Override
    public Duration hashTime() {
      return Duration.ofMillis(80);
    }
  }

  /** G1: what is served at once, and 0.9 s of the rate. */
  @Test
  void burst_fillsThePlacesThereAre() {
    assertThat(enterFromEverywhere(1_000)).hasSize(8 + 90);
    assertThat(gate.inside()).isEqualTo(98);
    assertThat(gate.enter(() -> "another")).isEqualTo(Entry.FULL);
  }

  /** G1: nobody is asked where they come from when there is no place for anybody. */
  @Test
  void full_isSaidWithoutLookingAtTheNetwork() {
    enterFromEverywhere(98);
    assertThat(
            gate.enter(
                () -> {
                  throw new AssertionError("asked");
                }))
        .isEqualTo(Entry.FULL);
  }

  /** G2. */
  @Test
  void placeClosedTwice_isGivenBackOnce() {
    List<Entry.Place> inside = enterFromEverywhere(98);
    Entry.Place first = inside.removeFirst();
    first.hashed();
    first.close();
    first.close();
    assertThat(gate.inside()).isEqualTo(97);
    assertThat(enterFromEverywhere(10)).hasSize(1);
    leave(inside, 97);
    assertThat(gate.networks()).as("nothing is kept of those who left").isEqualTo(1);
  }

  /** G3: a pool of which nothing is known, or that stalls, still gets work. */
  @Test
  void stalledPool_isGivenAsMuchAsItServesAtOnce() {
    hasher.perSecond = 0;
    pass(Duration.ofSeconds(1));
    assertThat(enterFromEverywhere(1_000)).hasSizeGreaterThanOrEqualTo(8);
  }

  /** G1 and G3: slower or faster, the places follow; those inside stay. */
  @Test
  void otherRate_changesThePlaces() {
    enterFromEverywhere(98);
    hasher.perSecond = 10;
    pass(Duration.ofMillis(10));
    assertThat(gate.places()).isEqualTo(8 + 9);
    assertThat(gate.inside()).isEqualTo(98);
    hasher.perSecond = 200;
    hasher.served = 58; // a function takes fifty
    pass(Duration.ofMillis(10));
    assertThat(gate.places()).isEqualTo(58 + 180);
  }

  /** G4. */
  @Test
  void lineThatHasStood_isKeptShortUntilItWasEmpty() {
    List<Entry.Place> inside = enterFromEverywhere(98);
    pass(MAX_WAIT.plusMillis(1));
    assertThat(gate.places()).isEqualTo(8 + 35);
    leave(inside, 60);
    assertThat(enterFromEverywhere(100)).hasSize(8 + 35 - 38);
    leave(inside, 38);
    assertThat(gate.places()).as("five are left, fewer than are served").isEqualTo(98);
  }

  /** G5: a network that comes alone has nearly all. */
  @Test
  void loneNetwork_leavesAnEighthFree() {
    assertThat(enter("one", 1_000)).hasSize(98 - 12);
    assertThat(gate.enter(() -> "one")).isEqualTo(Entry.SHARE_USED);
  }

  /** G5: those who come beside a flood find places, and the flood may have what is free. */
  @Test
  void besideAFlood_othersFindPlaces() {
    List<Entry.Place> flood = new ArrayList<>(enter("flood", 1_000));
    List<Entry.Place> others = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      others.addAll(enter("other " + i, 1));
      assertThat(gate.enter(() -> "flood")).isInstanceOf(Entry.Refused.class);
    }
    assertThat(others).hasSize(12);
    leave(flood, 60);
    assertThat(enter("flood", 1_000)).as("26 own, 12 others, 60 free").hasSize(17);
  }

  /**
   * G5 over a minute: a flood of fifty times the rate, and two hundred networks at half of it. Of
   * these, all but one in a hundred get in.
   */
  @Test
  void flood_doesNotKeepOthersOut() {
    assertThat(refusedBesideAFlood(true)).isLessThan(0.01);
  }

  /** G5 and G6: so it is with a flood that costs no hash, and so could come again at once. */
  @Test
  void floodWithoutHashes_doesNotKeepOthersOut() {
    assertThat(refusedBesideAFlood(false)).isLessThan(0.01);
  }

  /** G6. */
  @Test
  void placeWithoutHash_staysTakenForTheTimeOfAHash() {
    List<Entry.Place> inside = enterFromEverywhere(2);
    pass(Duration.ofMillis(30));
    inside.getFirst().hashed();
    inside.forEach(Entry.Place::close);
    assertThat(gate.inside()).isEqualTo(1);
    pass(Duration.ofMillis(49));
    assertThat(gate.inside()).isEqualTo(1);
    pass(Duration.ofMillis(1));
    assertThat(gate.inside()).isZero();
  }

  /** One second of the flood's first rush does not count: it was alone until then. */
  private double refusedBesideAFlood(boolean hashed) {
    Random random = new Random(7);
    PriorityQueue<Timer> served = new PriorityQueue<>();
    long freeAt = 0;
    int came = 0;
    int refused = 0;
    for (int millis = 0; millis < 60_000; millis++) {
      pass(Duration.ofMillis(1));
      while (!served.isEmpty() && served.peek().atNanos() <= now.get()) {
        served.poll().end().run();
      }
      List<String> arrivals = new ArrayList<>(List.of("flood", "flood", "flood", "flood", "flood"));
      if (random.nextInt(20) == 0) {
        arrivals.add("user " + random.nextInt(200));
      }
      for (String network : arrivals) {
        boolean isFlood = network.equals("flood");
        came += isFlood || millis < 1_000 ? 0 : 1;
        if (gate.enter(() -> network) instanceof Entry.Place place) {
          if (isFlood && !hashed) {
            served.add(new Timer(now.get() + 1_000_000, place::close));
          } else {
            place.hashed();
            freeAt = Math.max(freeAt, now.get()) + 10_000_000;
            served.add(new Timer(freeAt + 80_000_000, place::close));
          }
        } else {
          refused += isFlood || millis < 1_000 ? 0 : 1;
        }
      }
    }
    assertThat(came).isGreaterThan(2_000);
    return (double) refused / came;
  }

  private List<Entry.Place> enterFromEverywhere(int logins) {
    return new ArrayList<>(
        IntStream.range(0, logins)
            .mapToObj(i -> gate.enter(() -> "network " + i))
            .filter(Entry.Place.class::isInstance)
            .map(Entry.Place.class::cast)
            .toList());
  }

  private List<Entry.Place> enter(String network, int logins) {
    return IntStream.range(0, logins)
        .mapToObj(i -> gate.enter(() -> network))
        .filter(Entry.Place.class::isInstance)
        .map(Entry.Place.class::cast)
        .toList();
  }

  private static void leave(List<Entry.Place> inside, int logins) {
    for (int i = 0; i < logins; i++) {
      Entry.Place place = inside.removeFirst();
      place.hashed();
      place.close();
    }
  }

  private void later(Duration after, Runnable end) {
    timers.add(new Timer(now.get() + after.toNanos(), end));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    while (!timers.isEmpty() && timers.peek().atNanos() <= now.get()) {
      timers.poll().end().run();
    }
  }
}
