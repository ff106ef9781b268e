package io.tidemark.connect.config;

import io.tidemark.registry.config.RegistryConfig;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The check of unknown keys. It reports a key without effect that was probably meant for the
 * connector: it has the first word of a known key, or differs from a known key by a typing error.
 * Other keys are ignored, because people keep their own keys in a configuration.
 */
final class UnknownKeys {
  /** Maximum number of missing, additional, wrong or swapped letters of a typing error. */
  private static final int SLIPS = 2;

  /** Keys of the worker, its converters, transforms and clients, and of a registry. */
  private static final List<String> PREFIXES_OF_OTHERS =
      List.of(
          "transforms.",
          "predicates.",
          "key.converter.",
          "value.converter.",
          "header.converter.",
          "consumer.override.",
          "producer.override.",
          "admin.override.",
          "errors.",
          "topics.",
          "request.header.");

  private static final Set<String> NAMES_OF_OTHERS =
      Set.of("name", "topics", "tasks.max", "transforms", "predicates");

  /**
   * First words of the connector's keys with which keys of other software also begin. For example,
   * {@code schema.id.placement} is a key of a serializer, whose settings may be in the same file.
   */
  private static final Set<String> SHARED_WORDS = Set.of("topics", "cluster", "worker", "schema");

  private static final Set<String> KNOWN =
      Stream.of(ConnectorConfig.DEFINITION.names(), RegistryConfig.keys())
          .flatMap(Set::stream)
          .filter(key -> !key.equals(ConnectorConfig.TASK_ID))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> PREFIXES =
      ConnectorConfig.DEFINITION.configKeys().keySet().stream()
          .filter(key -> key.contains("."))
          .map(key -> key.substring(0, key.indexOf('.')))
          .filter(word -> !SHARED_WORDS.contains(word))
          .map(word -> word + ".")
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> CLIENTS =
      Stream.of(ConsumerConfig.configNames(), ProducerConfig.configNames())
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  /** Kafka's clients would resolve placeholders with the classes that such keys name. */
  static final Pattern PROVIDERS = Pattern.compile("(^|.*\\.)config\\.providers(\\..*)?");

  private UnknownKeys() {}

  /** Returns the error of an unknown key, with the nearest known key; empty for any other key. */
  static Optional<String> problem(String key) {
    if (PROVIDERS.matcher(key).matches()) {
      return Optional.of(
          "is refused: it would show the worker's files and environment to all who may change this configuration. Use a ConfigProvider of the worker, and remove the key.");
    }
    if (ScopedKey.parse(key).isPresent()) {
      return Optional.empty();
    }
    if (ScopedKey.looksScoped(key)) {
      return Optional.of(ScopedKey.problem(key));
    }
    if (KNOWN.contains(key)
        || isAnothers(key)
        || HdfsSinkKeys.of(key).isPresent()
        || HadoopClientKeys.isOne(key)
        || key.startsWith(ConnectorConfig.PARTITIONER_CONFIG_PREFIX)) {
      return Optional.empty();
    }
    if (key.startsWith(ConnectorConfig.KAFKA_PREFIX)) {
      return clientsProblem(key.substring(ConnectorConfig.KAFKA_PREFIX.length()));
    }
    Nearest nearest = nearest(key, KNOWN);
    if (PREFIXES.stream().noneMatch(key::startsWith) && nearest.slips > SLIPS) {
      return Optional.empty();
    }
    return Optional.of(
        "is not a key of this connector, so it would have no effect. %s docs/CONFIG.md has all keys."
            .formatted(suggestion(nearest.name)));
  }

  static String suggestion(String key) {
    return "Did you mean " + key + "? Otherwise remove it.";
  }

  static String nearest(String key) {
    return nearest(key, KNOWN).name;
  }

  /** Returns the error of a key for Kafka's clients. Keys of their plugins cannot be listed. */
  private static Optional<String> clientsProblem(String key) {
    return CLIENTS.contains(key)
        ? Optional.empty()
        : similar(key, CLIENTS)
            .map(
                name ->
                    "is not a setting of Kafka's clients. "
                        + suggestion(ConnectorConfig.KAFKA_PREFIX + name));
  }

  /** Returns the name from which a key differs by a typing error, if there is one. */
  static Optional<String> similar(String key, Set<String> names) {
    return Optional.of(nearest(key, names))
        .filter(nearest -> nearest.slips <= SLIPS)
        .map(Nearest::name);
  }

  /** Whether a key belongs to the worker, or to the registry's client, which checks its keys. */
  private static boolean isAnothers(String key) {
    return NAMES_OF_OTHERS.contains(key)
        || Stream.concat(PREFIXES_OF_OTHERS.stream(), RegistryConfig.prefixes().stream())
            .anyMatch(key::startsWith);
  }

  private record Nearest(String name, int slips) {}

  private static Nearest nearest(String key, Set<String> names) {
    return names.stream()
        .map(name -> new Nearest(name, slips(key.substring(0, Math.min(99, key.length())), name)))
        .min(Comparator.comparingInt(Nearest::slips).thenComparing(Nearest::name))
        .orElseThrow();
  }

  /** The minimum number of letters to insert, remove, replace, or swap with the next. */
  private static int slips(String one, String other) {
    int[][] slips = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = slips[i - 1][j - 1] + (same ? 0 : 1);
        least = Math.min(least, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        slips[i][j] = swapped ? Math.min(least, slips[i - 2][j - 2] + 1) : least;
      }
    }
    return slips[one.length()][other.length()];
  }

  static void check(Map<String, String> named, ConfigErrors errors) {
    named.forEach(
        (key, value) ->
            problem(key)
                .or(() -> KafkaClientKeys.problem(key, value))
                .or(() -> HadoopClientKeys.problem(key, value))
                .ifPresent(problem -> errors.add(key, problem)));
  }
}
