package dev.spillway.auth.gate;

import dev.spillway.auth.audit.AuditEvent;
import dev.spillway.auth.audit.AuditLog;
import dev.spillway.auth.gate.Entry.Refused.Reason;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.cpu.CpuWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts refusals: by reason, as logins and hashes that were shed, and by one entry a second in the
 * audit log for all of them. Once a second it renews what they say.
 */
@ApplicationScoped
class GateMeters {
  /** Every network: refusals of one second are of many. */
  private static final String ANYWHERE = "::/0";

  private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);
  private final Counter logins;
  private final LongAdder unaudited = new LongAdder();
  private final AuditLog audit;
  private final Vertx vertx;
  private final Hashing hashing;
  private final Gate gate;
  private final CpuWatch cpu;
  private final Refusal refusal;
  private final MeterRegistry registry;

  GateMeters(
      Gate gate,
      Hashing hashing,
      CpuWatch cpu,
      Refusal refusal,
      MeterRegistry registry,
      AuditLog audit,
      Vertx vertx) {
    this.cpu = cpu;
    this.refusal = refusal;
    this.hashing = hashing;
    this.gate = gate;
    this.registry = registry;
    this.audit = audit;
    this.vertx = vertx;
    for (Reason reason : Reason.values()) {
      refused.put(
          reason,
          Counter.builder("spillway.gate.refused")
              .description("Logins refused before anything was done for them")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    this.logins =
        Counter.builder("spillway.login")
            .description("Attempts to log in")
            .tag("outcome", "shed")
            .register(registry);
  }

  void start(@Observes StartupEvent event) {
    Gauge.builder("spillway.gate.inside", gate, Gate::inside)
        .description("Logins under way")
        .register(registry);
    Gauge.builder("spillway.gate.places", gate, Gate::places)
        .description("Logins that may be under way")
        .register(registry);
    vertx.setPeriodic(TimeUnit.SECONDS.toMillis(1), second -> tell());
  }

  void stop(@Observes ShutdownEvent event) {
    tell();
  }

  void refused(Reason reason) {
    refused.get(reason).increment();
    logins.increment();
    hashing.shed();
    unaudited.increment();
  }

  private void tell() {
    refusal.say(cpu.share());
    int times = (int) Math.min(Integer.MAX_VALUE, unaudited.sumThenReset());
    if (times > 0) {
      audit.add(AuditEvent.of(AuditEvent.Action.LOGIN, null, ANYWHERE, "shed"), times);
    }
  }
}
