package dev.spillway.auth.admin;

import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.quarkus.security.UnauthorizedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Gathers imported users into transactions: one each would cost a disk write for every user. */
final class ImportBatch {
  private static final int SIZE = 500;

  private final UserDirectory users;
  private final ImportReport report;
  private final AdminAudit audit;
  private final BooleanSupplier may;
  private final List<NewUser> waiting = new ArrayList<>(SIZE);
  private final List<Long> lines = new ArrayList<>(SIZE);

  /**
   * @param may asked before each transaction whether the importer may still import
   */
  ImportBatch(UserDirectory users, ImportReport report, AdminAudit audit, BooleanSupplier may) {
    this.users = users;
    this.report = report;
    this.audit = audit;
    this.may = may;
  }

  void add(long line, NewUser user) {
    waiting.add(user);
    lines.add(line);
    if (waiting.size() == SIZE) {
      flush();
    }
  }

  /** Stores what waits; to be called once more at the end. */
  void flush() {
    if (!may.getAsBoolean()) {
      throw new UnauthorizedException();
    }
    List<UserDirectory.ImportResult> results = users.importAll(waiting, audit.imports(waiting));
    for (int i = 0; i < results.size(); i++) {
      switch (results.get(i)) {
        case CREATED -> report.imported();
        case EXISTS -> report.refused(lines.get(i), "there is a user of this login");
      }
    }
    waiting.clear();
    lines.clear();
  }
}
