package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The picture holds all that is drawn. */
class SpikeChartTest {
  private static final Pattern TEXT =
      Pattern.compile("<text x=\"([\\d.]+)\"[^>]*?(?:text-anchor=\"(\\w+)\")?>([^<]+)</text>");
  private static final Pattern WIDTH = Pattern.compile("viewBox=\"0 0 (\\d+) \\d+\"");

  /** Of the style's 12 px, of a character as wide as a digit of a wide sans-serif. */
  private static final double CHARACTER = 7.7;

  @ParameterizedTest
  @EnumSource
  void everyLabel_isInsideThePicture(SpikeLength parts) {
    String svg = chart(parts).svg();
    double width =
        Double.parseDouble(WIDTH.matcher(svg).results().findFirst().orElseThrow().group(1));
    List<MatchResult> labels = TEXT.matcher(svg).results().toList();
    assertThat(labels).extracting(label -> label.group(3)).contains("0 s", "a second");
    for (MatchResult label : labels) {
      double at = Double.parseDouble(label.group(1));
      double length = CHARACTER * label.group(3).length();
      String anchor = label.group(2) == null ? "start" : label.group(2);
      double left =
          switch (anchor) {
            case "start" -> at;
            case "middle" -> at - length / 2;
            case "end" -> at - length;
            default -> throw new AssertionError(anchor);
          };
      assertThat(left).as(label.group()).isNotNegative();
      assertThat(left + length).as(label.group()).isLessThanOrEqualTo(width);
    }
  }

  @Test
  void lastSecond_isNamed() {
    assertThat(chart(SpikeLength.QUICK).svg()).contains(">10 s</text>");
  }

  private static SpikeChart chart(SpikeLength parts) {
    return new SpikeChart("Logins", "a second", false, new SpikeShape(1, parts))
        .line("one", "one", List.of(1.0, 20_000.0, Double.NaN));
  }
}
