package dev.spillway.benchmarks.overload;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Sends logins when they are due, on one thread, and reads what comes back. It shares the machine
 * with the service that it measures, so a login is to cost little: its bytes are made beforehand,
 * and a connection that is free is used again.
 */
final class LoadLoop {
  /** A service that holds connections for seconds may want more than this machine has to give. */
  private static final int MAX_CONNECTIONS = 18_000;

  /** After so many logins in a row answers are looked at, so that none looks late for it. */
  private static final int SENT_IN_A_ROW = 32;

  private static final long IDLE_MILLIS = 100;
  private static final long MILLI = 1_000_000L;
  private static final int BUFFER = 64 * 1024;

  private final Plan plan;
  private final Requests requests;
  private final LongSupplier clock;
  private final Schedule schedule;
  private final Tally tally;
  private final InetSocketAddress service;
  private final ByteBuffer request = ByteBuffer.allocateDirect(4096);
  private final ByteBuffer answer = ByteBuffer.allocateDirect(BUFFER);

  /** The last used is used first. */
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  /** When clients go away, by traffic, and last those of all that have waited long enough. */
  private final List<Deque<GoodBye>> goodByes = new ArrayList<>();

  private final com.sun.management.OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

  private Selector selector;
  private long startNanos;
  private int connections;
  private int mostConnections;
  private int outstanding;
  private int unsent;
  private long logins;

  LoadLoop(Plan plan, Requests requests, long seed, LongSupplier clock) {
    this.plan = plan;
    this.requests = requests;
    this.clock = clock;
    this.schedule = new Schedule(plan.traffic(), plan.lengthNanos(), seed);
    this.tally = new Tally(plan);
    this.service = new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.port());
    for (int i = 0; i <= plan.traffic().size(); i++) {
      goodByes.add(new ArrayDeque<>());
    }
  }

  /** Returns when the last login has ended. */
  Outcome run() throws IOException {
    try (Selector opened = Selector.open()) {
      selector = opened;
      startNanos = clock.getAsLong();
      startClients();
      Cpu cpu = new Cpu();
      while (true) {
        long now = now();
        cpu.at(now);
        int sent = 0;
        for (; schedule.nextNanos() <= now && sent < SENT_IN_A_ROW; sent++) {
          long due = schedule.nextNanos();
          send(schedule.take(), due);
        }
        leave(now);
        if (schedule.nextNanos() == Schedule.NEVER && outstanding == 0 && over(now)) {
          break;
        }
        long wait = waitMillis(now);
        if (wait <= 0) {
          selector.selectNow(this::progress);
        } else {
          selector.select(this::progress, wait);
        }
      }
      for (SelectionKey key : selector.keys()) {
        ((Connection) key.attachment()).close();
      }
      return new Outcome(
          tally.outcomes(),
          tally.late().millis(0.99),
          tally.late().millis(1),
          unsent,
          mostConnections,
          cpu.seconds(),
          plan.windowNanos() / 1e9);
    }
  }

  private void startClients() {
    for (int i = 0; i < plan.traffic().size(); i++) {
      if (plan.traffic().get(i).pace() instanceof Pace.Closed(int clients)) {
        for (int client = 0; client < clients; client++) {
          send(i, now());
        }
      }
    }
  }

  /** A burst is over when its last login is; everything else when its time is. */
  private boolean over(long now) {
    return now >= plan.lengthNanos()
        || plan.traffic().stream().allMatch(one -> one.pace() instanceof Pace.AtOnce);
  }

  private long now() {
    return clock.getAsLong() - startNanos;
  }

  /** The selector knows whole milliseconds only; a login is sent up to one late. */
  private long waitMillis(long now) {
    long until = Math.min(schedule.nextNanos(), now + IDLE_MILLIS * MILLI);
    for (Deque<GoodBye> queue : goodByes) {
      if (!queue.isEmpty()) {
        until = Math.min(until, queue.peekFirst().atNanos);
      }
    }
    long nanos = until - now;
    return nanos <= 0 ? 0 : Math.max(1, nanos / MILLI);
  }

  private void send(int traffic, long due) {
    Connection connection = free();
    if (connection == null) {
      unsent++;
      return;
    }
    long number = logins++;
    long now = now();
    tally.sent(traffic, due, now);
    outstanding++;
    requests.put(plan.traffic().get(traffic), traffic, plan.traffic().size(), request.clear());
    try {
      connection.send(traffic, due, number, request.flip());
    } catch (IOException e) {
      end(connection, Tally.NO_ANSWER);
      drop(connection);
      return;
    }
    long hangUp = plan.traffic().get(traffic).hangUpNanos();
    if (hangUp > 0) {
      goodByes.get(traffic).addLast(new GoodBye(connection, number, now + hangUp));
    }
    goodByes.getLast().addLast(new GoodBye(connection, number, now + Plan.PATIENCE.toNanos()));
  }

  /** Null if this machine has none to give. */
  private Connection free() {
    while (!idle.isEmpty()) {
      Connection connection = idle.removeLast();
      if (connection.open()) {
        return connection;
      }
    }
    if (connections == MAX_CONNECTIONS) {
      return null;
    }
    try {
      Connection connection = Connection.open(selector, service);
      connections++;
      mostConnections = Math.max(mostConnections, connections);
      return connection;
    } catch (IOException e) {
      return null;
    }
  }

  /** Clients whose time has come go away. */
  private void leave(long now) {
    for (Deque<GoodBye> queue : goodByes) {
      int status = queue == goodByes.getLast() ? Tally.NO_ANSWER : Tally.HUNG_UP;
      while (!queue.isEmpty() && queue.peekFirst().atNanos <= now) {
        GoodBye goodBye = queue.removeFirst();
        if (goodBye.connection.busyWith(goodBye.login)) {
          end(goodBye.connection, status);
          drop(goodBye.connection);
        }
      }
    }
  }

  private void progress(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    try {
      if (!key.isValid()) {
        return;
      }
      if (!connection.readable()) {
        connection.advance();
      } else if (connection.read(answer) && connection.busy()) {
        end(connection, connection.reply().status());
        if (connection.reply().closes()) {
          drop(connection);
        } else {
          idle.addLast(connection);
        }
      }
    } catch (IOException e) {
      if (connection.busy()) {
        end(connection, Tally.NO_ANSWER);
      }
      drop(connection);
    }
  }

  private void end(Connection connection, int status) {
    long now = now();
    outstanding--;
    connection.free();
    tally.ended(connection.traffic(), connection.dueNanos(), now, status);
    Traffic traffic = plan.traffic().get(connection.traffic());
    if (traffic.pace() instanceof Pace.Closed && now < plan.lengthNanos()) {
      send(connection.traffic(), now);
    }
  }

  private void drop(Connection connection) {
    connections--;
    connection.close();
  }

  private record GoodBye(Connection connection, long login, long atNanos) {}

  /** This process's CPU time within the window. */
  private final class Cpu {
    private long from = -1;
    private long to = -1;

    void at(long nowNanos) {
      if (from < 0 && nowNanos >= plan.rampNanos()) {
        from = process.getProcessCpuTime();
      }
      if (to < 0 && nowNanos >= plan.lengthNanos()) {
        to = process.getProcessCpuTime();
      }
    }

    double seconds() {
      return ((to < 0 ? process.getProcessCpuTime() : to) - Math.max(0, from)) / 1e9;
    }
  }
}
