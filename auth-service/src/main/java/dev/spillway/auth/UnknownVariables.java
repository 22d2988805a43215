package dev.spillway.auth;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappings.ConfigClass;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Warning about environment variables that begin with SPILLWAY_ and match no key. An unknown
 * property stops the start; a variable may belong to another program, as those that Kubernetes
 * sets.
 */
@ApplicationScoped
class UnknownVariables {
  private static final Logger LOG = Logger.getLogger(UnknownVariables.class);
  private static final String PREFIX = "SPILLWAY_";
  private static final Pattern KUBERNETES =
      Pattern.compile(
          ".*_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT(?:_\\d+_(?:TCP|UDP)(?:_.*)?)?)");

  void warn(@Observes StartupEvent start, BeanManager beans) {
    Set<String> keys = new TreeSet<>();
    beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
        .flatMap(bean -> bean.getTypes().stream())
        .distinct()
        .forEach(type -> addKeys(type, keys));
    warnings(keys, System.getenv()).forEach(LOG::warn);
  }

  /** One for each variable that names no key, with the nearest one. */
  static List<String> warnings(Set<String> keys, Map<String, String> variables) {
    List<String> warnings = new ArrayList<>();
    for (String name : new TreeSet<>(variables.keySet())) {
      if (name.startsWith(PREFIX)
          && !KUBERNETES.matcher(name).matches()
          && keys.stream().noneMatch(key -> pattern(key).matcher(name).matches())) {
        String nearest =
            keys.stream()
                .map(UnknownVariables::variable)
                .min(Comparator.comparingInt(key -> distance(key, name)))
                .orElse("");
        warnings.add(
            "The environment variable %s names no setting; the nearest is %s"
                .formatted(name, nearest));
      }
    }
    return warnings;
  }

  private static void addKeys(Type type, Set<String> keys) {
    if (type instanceof Class<?> mapping
        && mapping.isInterface()
        && mapping.getAnnotation(ConfigMapping.class) instanceof ConfigMapping at
        && at.prefix().startsWith("spillway")) {
      keys.addAll(new ConfigClass(mapping, at.prefix()).getProperties().keySet());
    }
  }

  private static String variable(String key) {
    return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9*]", "_");
  }

  private static Pattern pattern(String key) {
    return Pattern.compile(variable(key).replace("*", "\\w+"));
  }

  /** Levenshtein's. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
