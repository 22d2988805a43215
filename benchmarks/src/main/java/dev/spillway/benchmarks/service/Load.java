package dev.spillway.benchmarks.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Clients that call a task over and over on virtual threads until closed, and what it returned; a
 * task's null is not kept.
 */
final class Load<T> implements AutoCloseable {
  private final Collection<T> results = new ConcurrentLinkedQueue<>();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean stopped;

  private Load() {}

  /** Each of {@code clients} calls again as soon as it has its answer. */
  static <T> Load<T> closedLoop(int clients, Supplier<T> task) {
    Load<T> load = new Load<>();
    for (int i = 0; i < clients; i++) {
      var _ =
          load.clients.submit(
              () -> {
                while (!load.stopped) {
                  load.call(task);
                }
              });
    }
    return load;
  }

  /** Calls come {@code perSecond}, evenly, whether or not others have been answered. */
  static <T> Load<T> openLoop(double perSecond, Supplier<T> task) {
    Load<T> load = new Load<>();
    long periodNanos = Math.round(1e9 / perSecond);
    var _ =
        load.clients.submit(
            () -> {
              long due = System.nanoTime();
              while (!load.stopped) {
                var _ = load.clients.submit(() -> load.call(task));
                due += periodNanos;
                long wait = due - System.nanoTime();
                if (wait > 0) {
                  LockSupport.parkNanos(wait);
                }
              }
            });
    return load;
  }

  /** All of them at the same moment; returns when the last has its answer. */
  static <T> List<T> burst(int size, Supplier<T> task) throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(size);
    List<Future<T>> calls = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        calls.add(
            clients.submit(
                () -> {
                  together.await();
                  return task.get();
                }));
      }
    }
    return calls.stream().map(Future::resultNow).toList();
  }

  private void call(Supplier<T> task) {
    T result = task.get();
    if (result != null) {
      results.add(result);
    }
  }

  /** Lets the load run on for so long. */
  void run(Duration length) throws InterruptedException {
    Thread.sleep(length);
  }

  List<T> results() {
    return List.copyOf(results);
  }

  /** Returns when the last call has its answer. */
  @Override
  public void close() {
    stopped = true;
    clients.close();
  }
}
