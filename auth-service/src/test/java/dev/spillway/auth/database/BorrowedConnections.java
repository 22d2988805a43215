package dev.spillway.auth.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Data sources that tell what is done with their connections. */
public final class BorrowedConnections {
  private static final Callable<?> NOTHING = () -> null;

  private BorrowedConnections() {}

  /** Counts how many are borrowed at once. */
  public static DataSource counting(DataSource source, AtomicInteger most) {
    AtomicInteger borrowed = new AtomicInteger();
    return watched(
        source,
        () -> most.accumulateAndGet(borrowed.incrementAndGet(), Math::max),
        NOTHING,
        borrowed::decrementAndGet);
  }

  /** Runs {@code what} after each close, before the caller goes on. */
  public static DataSource atClose(DataSource source, Callable<?> what) {
    return watched(source, NOTHING, NOTHING, what);
  }

  /** Runs {@code what} after a connection is opened; its exception is the borrower's. */
  public static DataSource atOpen(DataSource source, Callable<?> what) {
    return watched(source, what, NOTHING, NOTHING);
  }

  /** Runs {@code what} before a commit; its exception is the committer's. */
  public static DataSource beforeCommit(DataSource source, Callable<?> what) {
    return watched(source, NOTHING, what, NOTHING);
  }

  private static DataSource watched(
      DataSource source, Callable<?> atOpen, Callable<?> beforeCommit, Callable<?> atClose) {
    return proxy(
        DataSource.class,
        source,
        NOTHING,
        (method, result) -> {
          if (!(result instanceof Connection connection)) {
            return result;
          }
          atOpen.call();
          return proxy(
              Connection.class,
              connection,
              beforeCommit,
              (name, answer) -> {
                if (name.equals("close")) {
                  atClose.call();
                }
                return answer;
              });
        });
  }

  private interface After {
    Object of(String method, Object result) throws Exception;
  }

  private static <T> T proxy(Class<T> type, T target, Callable<?> beforeCommit, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("commit")) {
                beforeCommit.call();
              }
              try {
                return after.of(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
