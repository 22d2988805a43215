package dev.spillway.auth.admin;

import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import java.util.ArrayList;
import java.util.List;

/** Gathers imported users into transactions: one each would cost a disk write for every user. */
final class ImportBatch {
  private static final int SIZE = 500;

  private final UserDirectory users;
  private final ImportReport report;
  private final Deeds deeds;
  private final List<NewUser> waiting = new ArrayList<>(SIZE);
  private final List<Long> lines = new ArrayList<>(SIZE);

  ImportBatch(UserDirectory users, ImportReport report, Deeds deeds) {
    this.users = users;
    this.report = report;
    this.deeds = deeds;
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
    List<UserDirectory.ImportResult> results = users.importAll(waiting, deeds.imports(waiting));
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
