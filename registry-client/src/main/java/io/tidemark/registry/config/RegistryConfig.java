package io.tidemark.registry.config;

import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.cache.CacheSettings;
import io.tidemark.registry.cache.CachingSchemaRegistry;
import io.tidemark.registry.cache.SharedRegistries;
import io.tidemark.registry.config.InvalidRegistryConfigException.Problem;
import io.tidemark.registry.confluent.ConfluentRegistry;
import io.tidemark.registry.confluent.ConfluentSubjects;
import io.tidemark.registry.confluent.SchemaContext;
import io.tidemark.registry.confluent.SubjectNameStrategy;
import io.tidemark.registry.confluent.SubjectVersions;
import io.tidemark.registry.fingerprint.FingerprintRegistry;
import io.tidemark.registry.fingerprint.FingerprintSettings;
import io.tidemark.registry.http.Endpoint;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.schemarepo.SchemaRepoRegistry;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsContext;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.SubjectTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The settings of a client, including the format of schema ids. If Confluent's clients have the
 * same setting, its key is the same. {@code toString()} hides secrets. {@code docs/REGISTRY.md}
 * lists the keys.
 *
 * <pre>
 *   try (SchemaRegistry registry = RegistryConfig.parse(settings).open()) {
 *     Schema writer = registry.schema(SchemaId.of(4711)).schema();
 *   }
 * </pre>
 *
 * @param api the registry's REST API
 * @param http the registry's URLs, the credentials, and the limits of requests
 * @param context the context of ids and subjects; only Confluent's API has contexts
 * @param cache the limits of the cache of schemas; also for a {@code CachingSubjects}
 * @param fingerprints the subjects whose schemas can be looked up by fingerprint
 * @param idFormat the format of the ids in records
 * @param subject derives a topic's subject, for the API of AVRO-1124
 */
public record RegistryConfig(
    RegistryApi api,
    HttpSettings http,
    SchemaContext context,
    CacheSettings cache,
    FingerprintSettings fingerprints,
    IdFormat idFormat,
    SubjectTemplate subject) {
  private static final String URL = "schema.registry.url";

  /** The clients of this process, by settings. */
  private static final SharedRegistries<RegistryConfig> SHARED = new SharedRegistries<>();

  /**
   * Parses the settings. Unknown keys with one of the {@link #prefixes()} are rejected. Other
   * unknown keys are ignored.
   *
   * @param settings texts, numbers and booleans
   * @throws InvalidRegistryConfigException if settings are invalid, with all problems
   */
  public static RegistryConfig parse(Map<String, ?> settings) {
    return read(new ConfigReader(settings));
  }

  /**
   * Returns all keys, in each accepted spelling, except those that begin with {@code
   * request.header.}.
   */
  public static Set<String> keys() {
    ConfigReader config = new ConfigReader(Map.of(URL, "http://localhost"));
    read(config);
    return config.keys();
  }

  /** Returns the prefixes that are reserved for this client: other keys with them are rejected. */
  public static List<String> prefixes() {
    return ConfigReader.OWNED;
  }

  private static RegistryConfig read(ConfigReader config) {
    List<Endpoint> endpoints = endpoints(config);
    // A placeholder if the URL is missing, so that all other problems are found too.
    HttpSettings.Builder http =
        HttpSettings.builder(
            endpoints.isEmpty() ? "http://localhost" : config.own("url").orElse(""));
    boolean inUrl = endpoints.stream().anyMatch(endpoint -> endpoint.credentials().isPresent());
    Optional<Credentials> credentials = new CredentialSettings(config).read(inUrl);
    credentials.ifPresent(http::credentials);
    headers(config, http);
    proxy(config, http);
    TlsSettings tls = new TlsConfig(config).read();
    http.tls(tls);
    // Read here once, so that a wrong password is reported with the other problems.
    config.check("schema.registry.ssl", () -> new TlsContext(tls));
    times(config, http);
    int maxSchemaBytes =
        (int)
            config.number(
                "schema.max.bytes",
                config.key("schema.max.bytes"),
                "bytes",
                1,
                Integer.MAX_VALUE,
                1 << 20);
    http.maxSchemaBytes(maxSchemaBytes);
    CacheSettings cache = cache(config, maxSchemaBytes);
    Optional<SchemaContext> context =
        config.parsed("schema.registry.context", config.own("context"), SchemaContext::new);
    RegistryApi api =
        config
            .parsed("schema.registry.api", config.own("api"), RegistryApi::parse)
            .orElse(RegistryApi.CONFLUENT);
    if (api == RegistryApi.AVRO_1124 && context.isPresent()) {
      config.problem(
          "schema.registry.context",
          "has no effect with schema.registry.api=avro-1124. Remove it.");
    }
    IdFormatConfig ids = new IdFormatConfig(config);
    IdFormat idFormat = ids.format(api);
    SubjectTemplate subject = ids.subject(api);
    FingerprintSettings fingerprints = ids.fingerprints(idFormat);
    // Only the registry checks tokens; the client passes them on.
    config.withoutEffect("bearer.auth.scope.claim.name", "bearer.auth.sub.claim.name");
    List<Problem> problems = config.problems();
    if (!problems.isEmpty()) {
      throw new InvalidRegistryConfigException(problems);
    }
    return new RegistryConfig(
        api,
        http.build(),
        context.orElse(SchemaContext.DEFAULT),
        cache,
        fingerprints,
        idFormat,
        subject);
  }

  /** Returns a reader of the schema ids of a topic's records, for one thread. */
  public SchemaIdReader reader(String topic) {
    return idFormat.reader(subject.subject(topic));
  }

  /**
   * Opens a caching client. Clients of one process with equal settings share connections and a
   * cache. The last {@code close()} closes both.
   */
  public SchemaRegistry open() {
    // The format of the ids is not a setting of the client: all formats share it.
    RegistryConfig settings =
        new RegistryConfig(
            api, http, context, cache, fingerprints, IdFormat.CONFLUENT, SubjectTemplate.TOPIC);
    return SHARED.acquire(settings, this::caching);
  }

  /**
   * Opens a separate client that registers schemas. It is not cached and not shared.
   *
   * @param normalize whether a registry of Confluent's API normalizes schemas before it compares or
   *     registers them
   */
  public RegistrySubjects openSubjects(boolean normalize) {
    return switch (api) {
      case CONFLUENT -> {
        ConfluentRegistry registry = new ConfluentRegistry(http, context);
        ConfluentSubjects subjects = registry.subjects();
        yield new RegistrySubjects(normalize ? subjects.normalizing() : subjects, registry);
      }
      case AVRO_1124 -> {
        SchemaRepoRegistry registry = new SchemaRepoRegistry(http);
        yield new RegistrySubjects(registry.subjects(), registry);
      }
    };
  }

  /**
   * Returns the subject of a schema that is written to a topic.
   *
   * @param strategy the naming strategy, for a registry of Confluent's API
   * @throws IllegalArgumentException if the strategy needs a record name and the schema has none
   */
  public String subjectOf(
      String topic, boolean isKey, Schema schema, SubjectNameStrategy strategy) {
    return switch (api) {
      case CONFLUENT -> strategy.subject(topic, isKey, schema);
      case AVRO_1124 -> subject.subject(topic);
    };
  }

  /**
   * Returns the same settings for a check on behalf of somebody who may not read what the server
   * sends: messages do not quote it.
   */
  public RegistryConfig withoutQuotes() {
    return new RegistryConfig(
        api, http.withoutQuotes(), context, cache, fingerprints, idFormat, subject);
  }

  private SchemaRegistry caching() {
    return switch (api) {
      case CONFLUENT -> {
        ConfluentRegistry registry = new ConfluentRegistry(http, context);
        yield new CachingSchemaRegistry(
            withFingerprints(
                registry, new SubjectVersions(registry.subjects(), cache.confirmMs())::ids),
            registry.once(),
            cache);
      }
      case AVRO_1124 -> {
        SchemaRepoRegistry registry = new SchemaRepoRegistry(http);
        yield new CachingSchemaRegistry(
            withFingerprints(registry, registry.subjects()::ids), registry.once(), cache);
      }
    };
  }

  private SchemaRegistry withFingerprints(
      SchemaRegistry registry, FingerprintRegistry.Source subjects) {
    return fingerprints.subjects().isEmpty()
        ? registry
        : new FingerprintRegistry(registry, subjects, fingerprints);
  }

  private static List<Endpoint> endpoints(ConfigReader config) {
    Optional<String> urls = config.own("url");
    if (urls.isEmpty()) {
      config.problem(URL, "is missing. Set it to the registry's address: http://registry:8081");
    }
    return config.parsed(URL, urls, Endpoint::parseAll).orElse(List.of());
  }

  private static void headers(ConfigReader config, HttpSettings.Builder http) {
    config
        .withPrefix("request.header.")
        .forEach(
            (name, value) ->
                config.check("request.header." + name, () -> http.header(name, new Secret(value))));
    config
        .text("bearer.auth.logical.cluster")
        .ifPresent(
            cluster ->
                config.check(
                    "bearer.auth.logical.cluster",
                    () -> http.header("target-sr-cluster", new Secret(cluster))));
    config
        .text("bearer.auth.identity.pool.id")
        .ifPresent(
            pool ->
                config.check(
                    "bearer.auth.identity.pool.id",
                    () -> http.header("Confluent-Identity-Pool-Id", new Secret(pool))));
  }

  private static void proxy(ConfigReader config, HttpSettings.Builder http) {
    Optional<String> host = config.text("proxy.host");
    // Confluent's client writes -1 for none.
    Optional<String> port = config.text("proxy.port").filter(text -> !text.equals("-1"));
    if (host.isPresent() != port.isPresent()) {
      config.problem(
          host.isPresent() ? "proxy.port" : "proxy.host",
          "is missing. A proxy needs both host and port.");
      return;
    }
    long number = config.number("proxy.port", port, "a port", 1, 65_535, 0);
    if (number > 0) {
      host.ifPresent(name -> http.proxy(name, (int) number));
    }
  }

  private static void times(ConfigReader config, HttpSettings.Builder http) {
    http.connectTimeoutMs(
        (int)
            config.number(
                "http.connect.timeout.ms",
                config.text("http.connect.timeout.ms"),
                "milliseconds",
                1,
                Integer.MAX_VALUE,
                5_000));
    Optional<String> read = config.text("http.read.timeout.ms");
    Optional<String> request = config.own("request.timeout.ms");
    if (read.isPresent() && request.isPresent() && !read.equals(request)) {
      config.problem(
          "schema.registry.request.timeout.ms",
          "is set twice, also as http.read.timeout.ms. Remove one of them.");
    }
    http.requestTimeoutMs(
        (int)
            config.number(
                "schema.registry.request.timeout.ms",
                request.or(() -> read),
                "milliseconds",
                1,
                Integer.MAX_VALUE,
                10_000));
    http.totalTimeoutMs(
        (int)
            config.number(
                "schema.registry.total.timeout.ms",
                config.own("total.timeout.ms"),
                "milliseconds",
                1,
                Integer.MAX_VALUE,
                30_000));
    http.rounds(
        1 + (int) config.number("max.retries", config.text("max.retries"), "retries", 0, 1_000, 4));
    long wait =
        config.number(
            "retries.wait.ms", config.text("retries.wait.ms"), "milliseconds", 0, 3_600_000, 200);
    http.backoffMs((int) wait);
    http.maxBackoffMs(
        (int)
            config.number(
                "retries.max.wait.ms",
                config.text("retries.max.wait.ms"),
                "milliseconds",
                wait,
                3_600_000,
                Math.max(wait, 10_000)));
    http.maxAnswerBytes(
        (int)
            config.number(
                "schema.registry.max.answer.bytes",
                config.own("max.answer.bytes"),
                "bytes",
                1,
                Integer.MAX_VALUE,
                16 << 20));
  }

  private static CacheSettings cache(ConfigReader config, int maxSchemaBytes) {
    CacheSettings byDefault = CacheSettings.DEFAULT;
    long latestSeconds =
        config.number(
            "latest.cache.ttl.sec",
            config.text("latest.cache.ttl.sec"),
            "seconds, or -1 for the maximum,",
            -1,
            2_000_000,
            byDefault.latestTtlMs() / 1_000);
    return new CacheSettings(
        (int)
            config.number(
                "schema.registry.cache.size",
                config.own("cache.size"),
                "entries",
                1,
                Integer.MAX_VALUE,
                byDefault.maxEntries()),
        config.number(
            "schema.registry.cache.max.bytes",
            config.own("cache.max.bytes"),
            "bytes",
            1,
            Long.MAX_VALUE / 64,
            byDefault.maxBytes()),
        (int)
            config.number(
                "schema.registry.not.found.ttl.ms",
                config.own("not.found.ttl.ms"),
                "milliseconds",
                0,
                Integer.MAX_VALUE,
                byDefault.notFoundTtlMs()),
        latestSeconds < 0 ? Integer.MAX_VALUE : (int) latestSeconds * 1_000,
        (int)
            config.number(
                "schema.registry.confirm.interval.ms",
                config.own("confirm.interval.ms"),
                "milliseconds",
                0,
                Integer.MAX_VALUE,
                byDefault.confirmMs()),
        config.parsed("schema.registry.cache.file", config.own("cache.file"), Path::of),
        maxSchemaBytes);
  }
}
