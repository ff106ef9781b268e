package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.health.KnownFailure;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.connect.intake.StepFailure;
import io.tidemark.connect.kafka.DeadLetterSizes;
import io.tidemark.connect.kafka.ReachableCluster;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryApi;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Checks at validation that every configured service responds, all in parallel. A failure or a
 * missing response is reported under the key of the service's address.
 *
 * <p>The first use of a client loads its classes, which takes seconds if the worker is new or busy.
 * So the first request to each service has a longer limit. The worker has loaded Kafka's client.
 */
final class ServiceChecks {
  private static final Patience USUAL = new Patience(Duration.ofSeconds(4), Duration.ofSeconds(5));
  private static final Patience FIRST =
      new Patience(Duration.ofSeconds(18), Duration.ofSeconds(20));

  /** The services whose clients this worker's plugin has used, successfully or not. */
  static final Set<Service> USED = ConcurrentHashMap.newKeySet();

  /** Credentials of a registry's URL. Example: the part before the host in http://ann:x@host. */
  private static final Pattern USER_INFO = Pattern.compile("//[^/,]*@");

  private final ConnectorConfig config;
  private final Config answer;
  private final Map<String, ConfigValue> values = new HashMap<>();
  private final Set<Service> used;
  private final Map<Service, Asked> questions = new LinkedHashMap<>();
  private volatile Optional<String> largeLetters = Optional.empty();

  /** The limits of a client's call and of the whole request, after the client's own error. */
  private record Patience(Duration call, Duration question) {}

  private record Asked(Question<Service> question, Patience patience, long endNanos) {}

  private ServiceChecks(ConnectorConfig config, Config answer, Set<Service> used) {
    this.config = config;
    this.answer = answer;
    this.used = used;
    answer.configValues().forEach(value -> values.put(value.name(), value));
  }

  /** Hadoop settings that do not wait for an unavailable name node, unlike those of a task. */
  static Map<String, String> impatientHdfs(Duration longestCall) {
    return Map.of(
        "ipc.client.connect.max.retries", "1",
        "ipc.client.connect.max.retries.on.timeouts", "0",
        "ipc.client.connect.timeout", "3000",
        "ipc.client.rpc-timeout.ms", Long.toString(longestCall.toMillis()),
        "dfs.client.failover.max.attempts", "3",
        "dfs.client.failover.sleep.max.millis", "500",
        "dfs.client.retry.policy.enabled", "false");
  }

  /**
   * Adds an error to the address of each service that does not respond. A service with an invalid
   * key, or with a host that {@link ValidationHosts} does not permit, is not checked. Returns
   * within 5 s, or 20 s the first time.
   *
   * @param used the services whose clients were used before; this call adds to it
   */
  static void check(ConnectorConfig config, Config answer, Set<Service> used) {
    new ServiceChecks(config, answer, used).check();
  }

  private void check() {
    boolean loginIsRight = allRight(ConnectorConfig.LOGIN::contains);
    if (loginIsRight
        && allRight(
            key ->
                key.startsWith("hadoop.")
                    || key.equals(ConnectorConfig.STORE_URL)
                    || key.equals(ConnectorConfig.TOPICS_DIR))) {
      String store = config.getString(ConnectorConfig.STORE_URL);
      List<String> addresses = new ArrayList<>();
      if (!store.startsWith("file:")) {
        addresses.add(store);
        config.hadoopSettings().entrySet().stream()
            .filter(each -> each.getKey().startsWith("dfs.namenode.rpc-address."))
            .forEach(each -> addresses.add(each.getValue()));
      }
      ask(Service.STORE, addresses, this::store);
    }
    if (allRight(key -> key.startsWith(ConnectorConfig.KAFKA_PREFIX))) {
      List<String> addresses = listed(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS);
      // Kafka's client finds the last host and port of a text, and skips all in front of them.
      addresses.replaceAll(address -> address.replaceFirst("(?s).*/", ""));
      config.kafkaClient().entrySet().stream()
          .filter(each -> each.getKey().endsWith(".url"))
          .forEach(each -> addresses.add(each.getValue().toString()));
      ask(Service.KAFKA, addresses, this::kafka);
    }
    if (allRight(
        key ->
            RegistryConfig.keys().contains(key)
                || key.startsWith("request.header.")
                || RegistryConfig.prefixes().stream().anyMatch(key::startsWith))) {
      ask(Service.SCHEMA_REGISTRY, config.registry().http().addresses(), this::registry);
    }
    if (config.getBoolean(ConnectorConfig.HIVE_INTEGRATION)
        && loginIsRight
        && allRight(
            key ->
                key.startsWith("hive.metastore.") || key.equals(ConnectorConfig.HIVE_DATABASE))) {
      ask(Service.METASTORE, listed(ConnectorConfig.HIVE_METASTORE_URIS), this::metastore);
    }
    questions.forEach(
        (service, asked) -> {
          try {
            asked.question().await(Duration.ofNanos(asked.endNanos() - System.nanoTime()));
          } catch (ExecutionException e) {
            failed(service, e.getCause() == null ? e : e.getCause());
          } catch (TimeoutException e) {
            problem(
                service,
                "did not answer within %d s. Check that it is running, and that no firewall drops the worker's packets; correct the address."
                    .formatted(asked.patience().question().toSeconds()));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    largeLetters.ifPresent(
        problem -> {
          ConfigValue value = new ConfigValue(ConnectorConfig.DEAD_LETTER_TOPIC);
          value.addErrorMessage(problem);
          answer.configValues().add(value);
        });
  }

  private List<String> listed(String key) {
    return new ArrayList<>(List.of(config.getString(key).split(",", -1)));
  }

  private boolean allRight(Predicate<String> keys) {
    return values.values().stream()
        .noneMatch(value -> keys.test(value.name()) && !value.errorMessages().isEmpty());
  }

  private interface Asking {
    void ask(Duration longestCall) throws Exception;
  }

  private void ask(Service service, List<String> addresses, Asking asking) {
    if (!ValidationHosts.permit(addresses)) {
      problem(
          service,
          "was not asked: the system property %s of the worker does not list each of its hosts. Let who runs the workers add them."
              .formatted(ValidationHosts.PROPERTY));
      return;
    }
    Patience patience = service == Service.KAFKA || used.contains(service) ? USUAL : FIRST;
    long endNanos = System.nanoTime() + patience.question().toNanos();
    Question<Service> question =
        new Question<>(
            service.id(),
            () -> {
              try {
                asking.ask(patience.call());
              } finally {
                used.add(service);
              }
              return service;
            });
    questions.put(service, new Asked(question, patience, endNanos));
  }

  private void failed(Service service, Throwable failure) {
    // A client takes the first bytes of another kind of server for a length, and quotes it.
    String why = PrintableText.line(StepFailure.reason(failure)).replaceAll("\\d{7,}", "…");
    ConfigValue files = values.get(ConnectorConfig.HADOOP_CONF_DIR);
    if (files != null && why.startsWith(ConnectorConfig.HADOOP_CONF_DIR + " ")) {
      files.addErrorMessage(why);
      return;
    }
    KnownFailure known = KnownFailure.of(service, failure);
    problem(service, "returned an error: " + (why.contains(known.cure()) ? why : known.after(why)));
  }

  /** Adds an error, with the key: Connect's response contains only the messages of errors. */
  private void problem(Service service, String problemAndCure) {
    String key = service.addressKey();
    ConfigValue value = values.get(key);
    if (value != null) {
      String address = USER_INFO.matcher(config.getString(key)).replaceAll("//");
      value.addErrorMessage(
          "%s: %s at %s %s Or set %s=false to deploy without asking."
              .formatted(
                  key,
                  service.inWords(),
                  PrintableText.of(address),
                  problemAndCure,
                  ConnectorConfig.VALIDATION_CONNECT));
    }
  }

  private void store(Duration longestCall) throws Exception {
    try (Storage storage = StorageFactory.open(config, impatientHdfs(longestCall))) {
      storage.list(config.topicsRoot());
    }
  }

  private void kafka(Duration longestCall) throws Exception {
    ReachableCluster.require(
        ServiceClients.kafkaProperties(config),
        longestCall,
        admin -> {
          if (config.hasDeadLetterTopic()) {
            DeadLetterSizes sizes =
                new DeadLetterSizes(
                    config.given().getOrDefault(ConnectorConfig.DEAD_LETTER_TOPIC, "").trim(),
                    config.deadLetterMaxBytes());
            int timeoutMs = Math.toIntExact(longestCall.dividedBy(4).toMillis());
            largeLetters = sizes.problem(admin, NamedTopics.of(config)::contains, timeoutMs);
          }
        });
  }

  /** Requests any schema id. The response that it is unknown also shows that the registry works. */
  private void registry(Duration longestCall) throws Exception {
    Map<String, Object> settings = new HashMap<>(config.given());
    settings.keySet().removeAll(List.of("schema.registry.cache.file", "http.read.timeout.ms"));
    settings.put("schema.registry.request.timeout.ms", longestCall.toMillis());
    settings.put("schema.registry.total.timeout.ms", longestCall.toMillis());
    settings.put("http.connect.timeout.ms", longestCall.dividedBy(2).toMillis());
    settings.put("max.retries", 0);
    RegistryConfig registry = RegistryConfig.parse(settings).withoutQuotes();
    try (SchemaRegistry client = registry.open()) {
      client.schema(
          registry.api() == RegistryApi.AVRO_1124
              ? new SchemaId.OfSubject(registry.subject().subject("tidemark"), "0")
              : SchemaId.of(1));
    } catch (SchemaNotFoundException e) {
      return;
    }
  }

  private void metastore(Duration longestCall) throws Exception {
    MetastoreSettings settings = config.metastore().orElseThrow();
    try (TableCatalog catalog =
        new HiveCatalog(settings.within(longestCall.dividedBy(2), longestCall), Set.of())) {
      catalog.exists(TableName.of(config.getString(ConnectorConfig.HIVE_DATABASE), "tidemark"));
    }
  }
}
