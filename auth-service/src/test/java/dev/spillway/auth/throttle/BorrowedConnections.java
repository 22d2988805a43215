package dev.spillway.auth.throttle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts how many connections are borrowed at once. */
final class BorrowedConnections {
  private BorrowedConnections() {}

  static DataSource counting(DataSource source, AtomicInteger most) {
    AtomicInteger borrowed = new AtomicInteger();
    return proxy(
        DataSource.class,
        source,
        (method, result) -> {
          if (!(result instanceof Connection connection)) {
            return result;
          }
          most.accumulateAndGet(borrowed.incrementAndGet(), Math::max);
          return proxy(
              Connection.class,
              connection,
              (name, answer) -> {
                if (name.equals("close")) {
                  borrowed.decrementAndGet();
                }
                return answer;
              });
        });
  }

  private interface After {
    Object of(String method, Object result) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return after.of(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
