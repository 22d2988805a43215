package dev.spillway.auth;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.spillway.core.bcrypt.BcryptDigest;
import java.security.MessageDigest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Arrows point one way: login and admin know users and hashing; login grants through sessions,
 * which know users and tokens; all three tell the audit log, which knows none of them. The library
 * hashing knows hash-core and nothing of the service; in it, pool and spill never meet. hash-core
 * knows nobody.
 */
@AnalyzeClasses(packages = "dev.spillway", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyDirectionTest {
  private static final String AUTH = "dev.spillway.auth.";
  private static final String LIBRARY = "dev.spillway.hashing";
  private static final String CORE = "dev.spillway.core.";

  @ArchTest
  static final ArchRule login =
      mayOnlyKnow(
          "login",
          "gate",
          "users",
          "passwords",
          "sessions",
          "hashing",
          "hashing.spend",
          "http",
          "deadline",
          "network",
          "throttle",
          "audit",
          LIBRARY,
          LIBRARY + ".deadline");

  @ArchTest
  static final ArchRule gate =
      mayOnlyKnow("gate", "hashing.pool", "http", "network", "audit", LIBRARY, LIBRARY + ".cpu");

  @ArchTest
  static final ArchRule throttle =
      mayOnlyKnow(
          "throttle",
          "network",
          "database",
          "hashing.spend",
          LIBRARY + ".deadline",
          LIBRARY + ".pool");

  @ArchTest
  static final ArchRule sessions =
      mayOnlyKnow("sessions", "users", "tokens", "database", "http", "network", "audit");

  @ArchTest
  static final ArchRule admin =
      mayOnlyKnow(
          "admin",
          "users",
          "passwords",
          "tokens",
          "hashing",
          "hashing.spend",
          "http",
          "deadline",
          "network",
          "throttle",
          "audit",
          "database",
          LIBRARY,
          LIBRARY + ".deadline");

  @ArchTest static final ArchRule schedule = mayOnlyKnow("schedule");

  @ArchTest
  static final ArchRule warmup = mayOnlyKnow("warmup", "gate", "users", "tokens", LIBRARY);

  @ArchTest static final ArchRule audit = mayOnlyKnow("audit", "database");

  @ArchTest
  static final ArchRule passwords =
      mayOnlyKnow(
          "passwords", "users", "hashing", "http", "deadline", LIBRARY, LIBRARY + ".deadline");

  @ArchTest static final ArchRule users = mayOnlyKnow("users", "database", "http");
  @ArchTest static final ArchRule tokens = mayOnlyKnow("tokens", "database", "http");
  @ArchTest static final ArchRule database = mayOnlyKnow("database", "http");
  @ArchTest static final ArchRule http = mayOnlyKnow("http");
  @ArchTest static final ArchRule deadline = mayOnlyKnow("deadline", LIBRARY + ".deadline");
  @ArchTest static final ArchRule network = mayOnlyKnow("network");
  @ArchTest static final ArchRule cloudwatch = mayOnlyKnow("cloudwatch");

  /** It shows what the meters say, and so knows none of those who move them. */
  @ArchTest static final ArchRule dashboard = mayOnlyKnow("dashboard", "http");

  @ArchTest static final ArchRule example = mayOnlyKnow("example", "http");

  @ArchTest
  static final ArchRule hashing =
      mayOnlyKnow(
          "hashing",
          "hashing.pool",
          "hashing.spend",
          LIBRARY,
          LIBRARY + ".cpu",
          LIBRARY + ".deadline",
          LIBRARY + ".micrometer",
          LIBRARY + ".pool",
          LIBRARY + ".spill");

  @ArchTest static final ArchRule pool = mayOnlyKnow("hashing.pool", LIBRARY + ".pool");

  @ArchTest static final ArchRule spend = mayOnlyKnow("hashing.spend", "database", LIBRARY);

  @ArchTest
  static final ArchRule spill =
      mayOnlyKnow(
          "hashing.spill",
          "hashing.spill.lambda",
          LIBRARY + ".micrometer",
          LIBRARY + ".spill",
          LIBRARY + ".spill.balance",
          LIBRARY + ".spill.call");

  @ArchTest
  static final ArchRule lambda = mayOnlyKnow("hashing.spill.lambda", LIBRARY + ".spill.wire");

  /** The library needs hash-core and the JDK; what is optional has packages of its own. */
  @ArchTest
  static final ArchRule library =
      classes()
          .that()
          .resideInAPackage(LIBRARY + "..")
          .and()
          .resideOutsideOfPackages(LIBRARY + ".micrometer", LIBRARY + ".spring")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", LIBRARY + "..", "dev.spillway.core..");

  @ArchTest
  static final ArchRule libraryMeters =
      classes()
          .that()
          .resideInAPackage(LIBRARY + ".micrometer")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", LIBRARY + "..", "dev.spillway.core..", "io.micrometer.core..");

  @ArchTest static final ArchRule libraryPool = libraryMayOnlyKnow("pool", "cpu", "deadline");

  @ArchTest static final ArchRule libraryCpu = libraryMayOnlyKnow("cpu");

  @ArchTest
  static final ArchRule librarySpill =
      libraryMayOnlyKnow(
          "spill", "spill.balance", "spill.call", "spill.target", "spill.wire", "deadline");

  @ArchTest
  static final ArchRule libraryCall =
      libraryMayOnlyKnow("spill.call", "spill.balance", "spill.target", "spill.wire", "deadline");

  @ArchTest
  static final ArchRule libraryTarget =
      libraryMayOnlyKnow("spill.target", "spill.balance", "spill.wire");

  @ArchTest static final ArchRule libraryWire = libraryMayOnlyKnow("spill.wire", "spill.balance");
  @ArchTest static final ArchRule libraryBalance = libraryMayOnlyKnow("spill.balance");
  @ArchTest static final ArchRule libraryDeadline = libraryMayOnlyKnow("deadline");

  @ArchTest static final ArchRule wire = coreMayOnlyKnow("wire", "bcrypt", "seal");
  @ArchTest static final ArchRule seal = coreMayOnlyKnow("seal");
  @ArchTest static final ArchRule lanes = coreMayOnlyKnow("lanes", "bcrypt");
  @ArchTest static final ArchRule bcrypt = coreMayOnlyKnow("bcrypt");

  @ArchTest
  static final ArchRule noCircles =
      slices().matching("dev.spillway.(**)").should().beFreeOfCycles();

  /** A class, its builder, and those nested in it are one. */
  @ArchTest
  static final ArchRule noCirclesOfClasses =
      slices()
          .assignedFrom(
              new SliceAssignment() {
                @Override
                public String getDescription() {
                  return "classes of the library";
                }

                @Override
                public SliceIdentifier getIdentifierOf(JavaClass known) {
                  return known.getPackageName().startsWith(LIBRARY)
                      ? SliceIdentifier.of(outermost(known).getName().replaceFirst("Builder$", ""))
                      : SliceIdentifier.ignore();
                }
              })
          .should()
          .beFreeOfCycles();

  /** Comparing digests in time that depends on where they differ would tell an attacker where. */
  @ArchTest
  static final ArchRule digestsAreComparedInConstantTime =
      classes()
          .that()
          .areAssignableTo(BcryptDigest.class)
          .should()
          .callMethod(MessageDigest.class, "isEqual", byte[].class, byte[].class);

  private static JavaClass outermost(JavaClass known) {
    return known.getEnclosingClass().map(DependencyDirectionTest::outermost).orElse(known);
  }

  private static ArchRule mayOnlyKnow(String name, String... others) {
    // Recurring work is anybody's.
    return only(
        AUTH,
        name,
        Stream.concat(Stream.of(others), Stream.of("schedule")).collect(Collectors.toSet()));
  }

  private static ArchRule libraryMayOnlyKnow(String name, String... others) {
    return only(LIBRARY + ".", name, Set.of(others));
  }

  private static ArchRule coreMayOnlyKnow(String name, String... others) {
    return only(CORE, name, Set.of(others));
  }

  private static ArchRule only(String root, String name, Set<String> others) {
    return classes()
        .that()
        .resideInAPackage(root + name)
        .should()
        .onlyDependOnClassesThat(
            new DescribedPredicate<>("are of " + name + " or " + others + " or foreign") {
              @Override
              public boolean test(JavaClass known) {
                String at = known.getPackageName();
                return !at.startsWith("dev.spillway.")
                    || at.equals(root + name)
                    || (at.startsWith(root) && others.contains(at.substring(root.length())))
                    || others.contains(at)
                    || (!root.equals(CORE) && at.startsWith(CORE));
              }
            });
  }
}
