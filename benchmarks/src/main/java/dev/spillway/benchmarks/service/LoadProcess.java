package dev.spillway.benchmarks.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.benchmarks.overload.Generator;
import dev.spillway.benchmarks.overload.Outcome;
import dev.spillway.benchmarks.overload.Plan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The process of the load {@link Generator}, which ends with its {@link Site}. */
final class LoadProcess {
  private static final String NAME = "load";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Site site;
  private final BufferedReader says;
  private final Writer plans;

  private LoadProcess(Site site, Process process) {
    this.site = site;
    this.says = process.inputReader();
    this.plans = process.outputWriter();
  }

  /**
   * @param before programs that start it with another priority or on certain cores
   */
  static LoadProcess start(Site site, List<String> before) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Site.java());
    // The first compiler alone: what the second would take, the service under test is to have.
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmn32m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", Home.classPath(), Generator.class.getName()));
    return new LoadProcess(site, site.start(NAME, true, Map.of(), command));
  }

  /**
   * Runs a plan until its last login has ended.
   *
   * @param beside what is done while it runs, from its start
   */
  <T> Ran<T> run(Plan plan, Callable<T> beside) throws IOException, InterruptedException {
    plans.write(JSON.writeValueAsString(plan) + "\n");
    plans.flush();
    expect();
    T result;
    try {
      result = beside.call();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return new Ran<>(JSON.readValue(line(), Outcome.class), result);
  }

  Outcome run(Plan plan) throws IOException, InterruptedException {
    return run(plan, () -> null).outcome();
  }

  private void expect() throws IOException {
    String line = line();
    if (!line.equals(Generator.STARTED)) {
      throw new IOException("the load said: " + line);
    }
  }

  private String line() throws IOException {
    String line = says.readLine();
    if (line == null) {
      throw new IOException("the load has ended; it said:\n" + site.lastWords(NAME));
    }
    return line;
  }

  record Ran<T>(Outcome outcome, T beside) {}
}
