package dev.spillway.auth.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Rows of another table that are written in the transaction of a change: both are there, or neither
 * is. As with {@link Beside}, each of the two tables stays its owner's affair.
 *
 * @param <T> what the change answers
 */
public interface Along<T> {
  /**
   * Writes them, when the change is made and not yet in effect; once more if the transaction has to
   * start over. What it throws undoes the change.
   */
  void write(Connection connection, T answer) throws SQLException;

  /** The change is in effect, and what was written last. */
  default void committed() {}

  /** The same, with a change that answers something else. */
  default <A> Along<A> after(Function<A, T> answer) {
    return new Along<>() {
      @Override
      public void write(Connection connection, A given) throws SQLException {
        Along.this.write(connection, answer.apply(given));
      }

      @Override
      public void committed() {
        Along.this.committed();
      }
    };
  }

  /** For changes that stand for themselves. */
  static <T> Along<T> nothing() {
    return (connection, answer) -> {};
  }
}
