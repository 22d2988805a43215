package dev.spillway.auth.database;

import static dev.spillway.auth.database.SqlFailure.BUG;
import static dev.spillway.auth.database.SqlFailure.CONFLICT;
import static dev.spillway.auth.database.SqlFailure.DUPLICATE;
import static dev.spillway.auth.database.SqlFailure.STALE;
import static dev.spillway.auth.database.SqlFailure.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D1, D2: what is the server's condition and what is our bug. */
class SqlFailureTest {
  /** Every class of PostgreSQL's appendix A, and the states that differ from their class. */
  @ParameterizedTest
  @CsvSource({
    "00000, BUG",
    "01000, BUG",
    "02000, BUG",
    "03000, BUG",
    "08000, UNAVAILABLE",
    "08006, UNAVAILABLE",
    "08P01, UNAVAILABLE",
    "09000, BUG",
    "0A000, BUG",
    "0B000, BUG",
    "0F000, BUG",
    "0L000, BUG",
    "0P000, BUG",
    "0Z000, BUG",
    "20000, BUG",
    "21000, BUG",
    "22001, BUG",
    "23502, BUG",
    "23505, DUPLICATE",
    "24000, BUG",
    "25006, STALE",
    "25P02, BUG",
    "25P03, UNAVAILABLE",
    "25P04, UNAVAILABLE",
    "26000, STALE",
    "27000, BUG",
    "28000, BUG",
    "2B000, BUG",
    "2D000, BUG",
    "2F000, BUG",
    "34000, BUG",
    "38000, BUG",
    "39000, BUG",
    "3B000, BUG",
    "3D000, BUG",
    "3F000, BUG",
    "40001, CONFLICT",
    "40003, UNAVAILABLE",
    "40P01, CONFLICT",
    "42601, BUG",
    "42P05, STALE",
    "44000, BUG",
    "53000, UNAVAILABLE",
    "53100, UNAVAILABLE",
    "53200, UNAVAILABLE",
    "53300, UNAVAILABLE",
    "54000, BUG",
    "55000, BUG",
    "55006, UNAVAILABLE",
    "55P03, UNAVAILABLE",
    "57000, UNAVAILABLE",
    "57014, UNAVAILABLE",
    "57P01, STALE",
    "57P02, STALE",
    "57P03, STALE",
    "57P04, STALE",
    "57P05, STALE",
    "58000, UNAVAILABLE",
    "58030, UNAVAILABLE",
    "72000, CONFLICT",
    "F0000, UNAVAILABLE",
    "HV000, BUG",
    "P0001, BUG",
    "XX000, UNAVAILABLE",
    "XX001, UNAVAILABLE",
  })
  void stateOfPostgres_isSortedByWhoCanMendIt(String state, SqlFailure failure) {
    assertThat(SqlFailure.of(new SQLException("", state))).isEqualTo(failure);
  }

  /** All that H2 knows: what is not named here is a bug. */
  @Test
  void stateOfH2_isSortedByWhoCanMendIt() {
    assertThat(states(DUPLICATE)).containsExactlyInAnyOrder("DUPLICATE_KEY_1");
    assertThat(states(CONFLICT)).containsExactlyInAnyOrder("DEADLOCK_1", "CONCURRENT_UPDATE_1");
    assertThat(states(STALE)).isEmpty();
    assertThat(states(UNAVAILABLE))
        .containsExactlyInAnyOrder(
            "ERROR_OPENING_DATABASE_1",
            "LOCK_TIMEOUT_1",
            "STATEMENT_WAS_CANCELED",
            "OBJECT_CLOSED",
            "DATABASE_ALREADY_OPEN_1",
            "FILE_RENAME_FAILED_2",
            "FILE_DELETE_FAILED_1",
            "IO_EXCEPTION_1",
            "FILE_CORRUPTED_1",
            "IO_EXCEPTION_2",
            "FILE_CREATION_FAILED_1",
            "CONNECTION_BROKEN_1",
            "DATABASE_IS_READ_ONLY",
            "DATABASE_IS_CLOSED",
            "OUT_OF_MEMORY",
            "DATABASE_CALLED_AT_SHUTDOWN",
            "DATABASE_IS_IN_EXCLUSIVE_MODE");
  }

  @Test
  void noState_isABug() {
    assertThat(SqlFailure.of(new SQLException("", (String) null))).isEqualTo(BUG);
    assertThat(SqlFailure.of(new SQLException("", ""))).isEqualTo(BUG);
  }

  private static Set<String> states(SqlFailure failure) {
    return Stream.of(ErrorCode.class.getFields())
        .filter(field -> field.getType() == int.class)
        .filter(field -> SqlFailure.of(new SQLException("", state(field))) == failure)
        .map(Field::getName)
        .collect(Collectors.toSet());
  }

  private static String state(Field code) {
    try {
      return ErrorCode.getState(code.getInt(null));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
