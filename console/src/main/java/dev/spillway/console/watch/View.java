package dev.spillway.console.watch;

/** A place to show states, one after the other. */
interface View extends AutoCloseable {
  void show(ServiceState state);

  void show(Reading.Silent silent);

  @Override
  default void close() {}
}
