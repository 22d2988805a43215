package dev.spillway.auth.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Rows of another table, written in the transaction of a change: both exist or neither does. As
 * with {@link Beside}, each table is known to its own package only.
 *
 * @param <T> what the change answers
 */
public interface AddedRows<T> {
  /**
   * Writes the rows after the change and before the commit; again if the transaction starts over.
   * An exception rolls the change back.
   */
  void write(Connection connection, T answer) throws SQLException;

  /** The change is in effect, and what was written last. */
  default void committed() {}

  /** The same, with a change that answers something else. */
  default <A> AddedRows<A> after(Function<A, T> answer) {
    return new AddedRows<>() {
      @Override
      public void write(Connection connection, A given) throws SQLException {
        AddedRows.this.write(connection, answer.apply(given));
      }

      @Override
      public void committed() {
        AddedRows.this.committed();
      }
    };
  }

  /** For changes that stand for themselves. */
  static <T> AddedRows<T> nothing() {
    return (connection, answer) -> {};
  }
}
