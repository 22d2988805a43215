package dev.spillway.auth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;

/**
 * What is logged at a level or above it while this is open, with arguments and stack traces. Left
 * out is only what Vert.x says of event loops that a busy machine has kept waiting.
 */
public final class CapturedLog extends Handler implements AutoCloseable {
  private static final Logger ROOT = Logger.getLogger("");
  private static final String LATE_EVENT_LOOPS = "io.vertx.core.impl.BlockedThreadChecker";

  private final PatternFormatter format = new PatternFormatter("%p [%c] %s%e");
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Level rootLevel = ROOT.getLevel();
  private final Map<Handler, Level> others = new HashMap<>();

  private CapturedLog(Level from) {
    setLevel(from);
    for (Handler other : ROOT.getHandlers()) {
      others.put(other, other.getLevel());
      other.setLevel(Level.INFO); // the console need not show it all
    }
    if (rootLevel == null || from.intValue() < rootLevel.intValue()) {
      ROOT.setLevel(from);
    }
    ROOT.addHandler(this);
  }

  public static CapturedLog from(Level level) {
    return new CapturedLog(level);
  }

  public List<String> lines() {
    return new ArrayList<>(lines);
  }

  @Override
  public void publish(LogRecord record) {
    if (record.getLevel().intValue() >= getLevel().intValue()
        && !LATE_EVENT_LOOPS.equals(record.getLoggerName())) {
      lines.add(format.format(ExtLogRecord.wrap(record)));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    ROOT.removeHandler(this);
    ROOT.setLevel(rootLevel);
    others.forEach(Handler::setLevel);
  }
}
