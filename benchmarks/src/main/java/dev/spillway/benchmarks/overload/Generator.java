package dev.spillway.benchmarks.overload;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The process that makes the load: reads a {@link Plan} a line from its input, says {@link
 * #STARTED} when it begins, and writes the {@link Outcome} as one line when the last login has
 * ended.
 */
public final class Generator {
  public static final String STARTED = "started";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Generator() {}

  public static void main(String... args) throws IOException {
    BufferedReader plans =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int networksUsed = 0;
    long seed = 1;
    for (String line = plans.readLine(); line != null; line = plans.readLine()) {
      Plan plan = JSON.readValue(line, Plan.class);
      Requests requests =
          new Requests(plan.logins(), plan.password(), plan.port(), seed, networksUsed);
      LoadLoop loop = new LoadLoop(plan, requests, seed, System::nanoTime);
      System.out.println(STARTED);
      System.out.println(JSON.writeValueAsString(loop.run()));
      networksUsed = requests.networksUsed();
      seed++;
    }
  }
}
