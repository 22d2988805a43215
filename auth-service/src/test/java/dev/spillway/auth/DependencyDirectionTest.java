package dev.spillway.auth;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.spillway.core.bcrypt.BcryptDigest;
import java.security.MessageDigest;
import java.util.Set;

/**
 * Arrows point one way: login and admin know users and hashing; login grants through sessions,
 * which know users and tokens; all three tell the audit log, which knows none of them; hashing
 * knows pool and spill, which never meet; hash-core knows nobody.
 */
@AnalyzeClasses(packages = "dev.spillway", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyDirectionTest {
  private static final String AUTH = "dev.spillway.auth.";
  private static final String CORE = "dev.spillway.core.";

  @ArchTest
  static final ArchRule login =
      mayOnlyKnow(
          "login",
          "gate",
          "users",
          "sessions",
          "hashing",
          "http",
          "deadline",
          "network",
          "throttle",
          "audit");

  @ArchTest
  static final ArchRule gate =
      mayOnlyKnow("gate", "hashing", "hashing.pool", "http", "network", "audit");

  @ArchTest
  static final ArchRule throttle =
      mayOnlyKnow("throttle", "network", "database", "deadline", "hashing.pool", "hashing.spend");

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
          "database");

  @ArchTest static final ArchRule audit = mayOnlyKnow("audit", "database");
  @ArchTest static final ArchRule passwords = mayOnlyKnow("passwords", "hashing", "http");
  @ArchTest static final ArchRule users = mayOnlyKnow("users", "database", "http");
  @ArchTest static final ArchRule tokens = mayOnlyKnow("tokens", "database", "http");
  @ArchTest static final ArchRule database = mayOnlyKnow("database", "http");
  @ArchTest static final ArchRule http = mayOnlyKnow("http");
  @ArchTest static final ArchRule deadline = mayOnlyKnow("deadline");
  @ArchTest static final ArchRule network = mayOnlyKnow("network");
  @ArchTest static final ArchRule cloudwatch = mayOnlyKnow("cloudwatch");

  /** It shows what the meters say, and so knows none of those who move them. */
  @ArchTest static final ArchRule dashboard = mayOnlyKnow("dashboard", "http");

  @ArchTest static final ArchRule example = mayOnlyKnow("example", "http");

  @ArchTest
  static final ArchRule hashing =
      mayOnlyKnow("hashing", "hashing.pool", "hashing.spill", "hashing.spend", "deadline");

  @ArchTest static final ArchRule spend = mayOnlyKnow("hashing.spend", "database");

  @ArchTest static final ArchRule pool = mayOnlyKnow("hashing.pool", "deadline");

  @ArchTest
  static final ArchRule spill =
      mayOnlyKnow("hashing.spill", "hashing.spill.balance", "hashing.spill.lambda", "deadline");

  @ArchTest static final ArchRule balance = mayOnlyKnow("hashing.spill.balance");
  @ArchTest static final ArchRule lambda = mayOnlyKnow("hashing.spill.lambda");

  @ArchTest static final ArchRule wire = coreMayOnlyKnow("wire", "bcrypt", "seal");
  @ArchTest static final ArchRule seal = coreMayOnlyKnow("seal");
  @ArchTest static final ArchRule lanes = coreMayOnlyKnow("lanes", "bcrypt");
  @ArchTest static final ArchRule bcrypt = coreMayOnlyKnow("bcrypt");

  @ArchTest
  static final ArchRule noCircles =
      slices().matching("dev.spillway.(**)").should().beFreeOfCycles();

  /** Comparing digests in time that depends on where they differ would tell an attacker where. */
  @ArchTest
  static final ArchRule digestsAreComparedInConstantTime =
      classes()
          .that()
          .areAssignableTo(BcryptDigest.class)
          .should()
          .callMethod(MessageDigest.class, "isEqual", byte[].class, byte[].class);

  private static ArchRule mayOnlyKnow(String name, String... others) {
    return only(AUTH, name, Set.of(others));
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
                    || (root.equals(AUTH) && at.startsWith(CORE));
              }
            });
  }
}
