package dev.spillway.core.lanes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sound engines pass, engines that err in any way do not, and the factory acts on it. */
class KnownVectorsTest {
  private static final BcryptDigest SOME = BcryptDigest.of("7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void lanes_compute(int lanes) {
    List<String> warnings = new ArrayList<>();

    assertThat(Engines.proven(lanes, warnings::add)).isInstanceOf(LaneDigestEngine.class);
    assertThat(warnings).isEmpty();
  }

  @Test
  void spring_computes() {
    assertThat(KnownVectors.firstDifference(new SpringDigestEngine())).isEmpty();
  }

  /** Cost 5, computed with libxcrypt; the last row is a hash found in the wild. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '',       $2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy
          552a55,   $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW
          c3a9,     $2b$05$CCCCCCCCCCCCCCCCCCCCC.DvKJiuZKaiEep8jwYdCcoFbV7qNxYdm
          65cc81,   $2b$05$CCCCCCCCCCCCCCCCCCCCC.i8ftF58kCptWNIH/1.KWbsnT7cwIchS
          a3,       $2a$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq
          a3,       $2b$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq
          a3,       $2y$05$CCCCCCCCCCCCCCCCCCCCC.BvtRGGx3p8o0C5C36uS442Qqnrwofrq
          ffffa3,   $2b$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US
          ffffa3,   $2y$05$CCCCCCCCCCCCCCCCCCCCC.Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US
          ffffa3,   $2a$05$CCCCCCCCCCCCCCCCCCCCC.euRNRfAA6e0fjpTfQPPAMU1PCOf9IHq
          74657374, $2y$10$wisIVhmjWjm/lkujDJVAXuuYDXiGU/c9HK3mMzqFbfk45PXA527ui
          """)
  void writtenDownHash_isComputedAgain(String password, String encoded) {
    BcryptSetting setting = BcryptSetting.parse(encoded.substring(0, BcryptSetting.LENGTH));

    BcryptDigest digest =
        new LaneDigestEngine(1).digest(setting, HexFormat.of().parseHex(password));

    assertThat(new BcryptHash(setting, digest).encoded()).isEqualTo(encoded);
  }

  @Test
  void the72ndByte_isTheLastThatCounts() {
    BcryptSetting setting = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");
    LaneDigestEngine engine = new LaneDigestEngine(1);

    assertThat(engine.digest(setting, "a".repeat(72).getBytes(UTF_8)).text())
        .isEqualTo("ODcEJfYFxKziEakDsjep8mcF3zSCvHq");
    assertThat(engine.digest(setting, ("a".repeat(71) + "b").getBytes(UTF_8)).text())
        .isEqualTo("u1sPGZ9q71nBaQpv96qJMsRn29aIDCO");
  }

  @Test
  void wrongDigest_isFoundAndFallenBackFrom() {
    List<String> warnings = new ArrayList<>();
    DigestEngine wrong = engine((job, right) -> job.end(new DigestResult.Digested(SOME)));
    SpringDigestEngine fallback = new SpringDigestEngine();

    assertThat(Engines.proven(wrong, fallback, warnings::add)).isSameAs(fallback);
    assertThat(warnings).singleElement().asString().contains("fake").contains("$2b$04$");
  }

  @Test
  void endingTwice_isFound() {
    assertFound(
        engine(
            (job, right) -> {
              job.end(right);
              job.end(right);
            }));
  }

  @Test
  void neverEnding_isFound() {
    assertFound(engine((job, right) -> {}));
  }

  @Test
  void throwing_isFound() {
    assertFound(
        engine(
            (job, right) -> {
              throw new ExceptionInInitializerError("no pi today");
            }));
  }

  private static void assertFound(DigestEngine engine) {
    assertThat(KnownVectors.firstDifference(engine)).isPresent();
  }

  /** An engine that is given each job with its right result and may spoil it. */
  private static DigestEngine engine(BiConsumer<DigestJob, DigestResult> ending) {
    SpringDigestEngine spring = new SpringDigestEngine();
    return new DigestEngine() {
      @Override
      public String name() {
        return "fake";
      }

      @Override
      public int lanes() {
        return 1;
      }

      @Override
      public void run(DigestJob first, Backlog backlog) {
        for (DigestJob job = first; job != null; job = backlog.poll()) {
          ending.accept(
              job, new DigestResult.Digested(spring.digest(job.setting(), job.password())));
        }
      }
    };
  }
}
