package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.TidemarkSinkTask;
import io.tidemark.connect.hdfs.KeytabFixture;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.EchoingHost.Answer;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program whose tasks are configured with every secret that a configuration can contain, and that
 * causes all possible errors. Its output contains all log lines of any level, all exceptions,
 * metrics and answers. {@link SecretsInLogsTest} searches this output.
 */
final class TasksWithSecrets {
  /** Part of each secret that can be freely chosen. */
  static final String SECRET = "s3cr3t";

  static final String KEY_STORE = "keys.p12";
  static final String KEY_STORE_PASSWORD = SECRET + "-store";
  static final String KEY_ALIAS = "self";
  static final String END = "all was tried";

  /** The beginning of a key, in Base64, that is searched for: lines may be wrapped. */
  static final int KEY_PART = 40;

  private static final Logger LOG = LoggerFactory.getLogger(TasksWithSecrets.class);
  private static final String URL_USER = "ann:" + SECRET + "-url";
  private static final String USER_INFO = "ann:" + SECRET + "-info";
  private static final String CLIENT_SECRET = SECRET + "-client";
  private static final List<TopicPartition> TOPIC_PARTITIONS =
      List.of(new TopicPartition("quotes", 0));
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private TasksWithSecrets(Path directory) {
    this.directory = directory;
  }

  /** The secrets in the encodings in which they are sent. A registry may repeat them. */
  static List<String> encoded() {
    return List.of(
        base64(URL_USER),
        base64(USER_INFO),
        base64("tide:" + CLIENT_SECRET),
        base64(KeytabFixture.KEY).substring(0, KEY_PART),
        HexFormat.of().formatHex(KeytabFixture.KEY.getBytes(UTF_8)));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** The key store's private key, in Base64. */
  static String key(Path directory) throws IOException, GeneralSecurityException {
    char[] password = KEY_STORE_PASSWORD.toCharArray();
    return Base64.getEncoder()
        .encodeToString(keyStore(directory).getKey(KEY_ALIAS, password).getEncoded());
  }

  private static KeyStore keyStore(Path directory) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve(KEY_STORE))) {
      store.load(in, KEY_STORE_PASSWORD.toCharArray());
    }
    return store;
  }

  /** {@code arguments}: a directory that contains the key store. */
  public static void main(String[] arguments) {
    int status = 1;
    try {
      var tasks = new TasksWithSecrets(Path.of(arguments[0]));
      tasks.listen();
      tasks.askRegistries();
      landHashed();
      tasks.startTasks();
      LOG.info(END);
      status = 0;
    } catch (Exception | AssertionError e) { // after any error, all threads must end
      LOG.error("not all was tried", e);
    }
    System.exit(status);
  }

  /** Keeps the log lines, so that the program can wait for one. */
  private void listen() {
    PrintStream out = System.err;
    OutputStream both =
        new OutputStream() {
          @Override
          public void write(int b) {
            out.write(b);
            said.write(b);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            out.write(bytes, from, length);
            said.write(bytes, from, length);
          }
        };
    System.setErr(new PrintStream(both, true, UTF_8));
  }

  private void askRegistries() throws Exception {
    String token = SECRET + "-access";
    try (var plain = new EchoingHost("http", ServerSocketFactory.getDefault(), token);
        var secure = new EchoingHost("https", tls().getServerSocketFactory(), token)) {
      Map<String, String> url = Map.of("schema.registry.url", plain.url(""));
      Map<String, String> secureUrl = Map.of("schema.registry.url", secure.url(""));
      land(plain, config(Map.of("schema.registry.url", plain.url(URL_USER + "@"))));
      land(plain, config(url, userInfo()));
      land(plain, config(url, userInfo(), Map.of("schema.registry.api", "avro-1124")));
      land(plain, config(url, staticToken()));
      land(plain, config(url, client(plain)));
      land(secure, config(secureUrl, keyFiles(), userInfo()));
      land(secure, config(secureUrl, keyTexts(), staticToken()));
      plain.givesTokens(false);
      lookUp(plain, config(url, client(plain)), Answer.values());
      // The JVM does not trust this certificate: a handshake may take long on a busy machine.
      lookUp(secure, config(secureUrl, userInfo(), patient()), Answer.SERVER_ERROR);
    }
  }

  private static Map<String, String> patient() {
    return Map.of(
        "schema.registry.request.timeout.ms", "30000", "schema.registry.total.timeout.ms", "30000");
  }

  private SSLContext tls() throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(keyStore(directory), KEY_STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static Map<String, String> userInfo() {
    return Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", USER_INFO);
  }

  private static Map<String, String> staticToken() {
    return Map.of(
        "bearer.auth.credentials.source", "STATIC_TOKEN", "bearer.auth.token", SECRET + "-token");
  }

  private static Map<String, String> client(EchoingHost issuer) {
    return Map.of(
        "bearer.auth.credentials.source",
        "OAUTHBEARER",
        "bearer.auth.issuer.endpoint.url",
        issuer.url("") + "/token",
        "bearer.auth.client.id",
        "tide",
        "bearer.auth.client.secret",
        CLIENT_SECRET);
  }

  private Map<String, String> keyFiles() {
    String file = directory.resolve(KEY_STORE).toString();
    return Map.of(
        "schema.registry.ssl.keystore.location", file,
        "schema.registry.ssl.keystore.type", "PKCS12",
        "schema.registry.ssl.keystore.password", KEY_STORE_PASSWORD,
        "schema.registry.ssl.key.password", KEY_STORE_PASSWORD,
        "schema.registry.ssl.truststore.location", file,
        "schema.registry.ssl.truststore.type", "PKCS12",
        "schema.registry.ssl.truststore.password", KEY_STORE_PASSWORD);
  }

  private Map<String, String> keyTexts() throws IOException, GeneralSecurityException {
    byte[] certificate = keyStore(directory).getCertificate(KEY_ALIAS).getEncoded();
    String chain = pem("CERTIFICATE", Base64.getEncoder().encodeToString(certificate));
    return Map.of(
        "schema.registry.ssl.keystore.type",
        "PEM",
        "schema.registry.ssl.keystore.key",
        pem("PRIVATE KEY", key(directory)),
        "schema.registry.ssl.keystore.certificate.chain",
        chain,
        "schema.registry.ssl.key.password",
        SECRET + "-key",
        "schema.registry.ssl.truststore.type",
        "PEM",
        "schema.registry.ssl.truststore.certificates",
        chain);
  }

  private static String pem(String what, String base64) {
    return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----";
  }

  /** A client with short time-outs. */
  @SafeVarargs
  private static RegistryConfig config(Map<String, String>... parts) {
    Map<String, String> settings = new HashMap<>();
    for (Map<String, String> part : parts) {
      settings.putAll(part);
    }
    settings.put("request.header.X-Api-Key", SECRET + "-header");
    settings.putIfAbsent("schema.registry.request.timeout.ms", "400");
    settings.putIfAbsent("schema.registry.total.timeout.ms", "400");
    settings.put("max.retries", "0");
    RegistryConfig config = RegistryConfig.parse(settings);
    LOG.info("the settings are {}", config);
    return config;
  }

  /** Requests schemas from a registry that answers in each of these ways. */
  private static void lookUp(EchoingHost host, RegistryConfig config, Answer... answers)
      throws Exception {
    try (SchemaRegistry registry = config.open()) {
      int number = 0;
      for (Answer answer : answers) {
        host.answers(answer);
        // A missing schema is not requested a second time.
        SchemaId id = config.reader("quotes").read(null, value(number++)).id();
        try {
          LOG.info("{} is {}", id, registry.schema(id));
        } catch (RegistryException e) {
          LOG.warn("{} of {}", answer, registry.location(), e);
        }
      }
    }
  }

  /**
   * Does the same as {@link #lookUp}. Then tasks request schemas, with and without a dead letter
   * queue.
   */
  private static void land(EchoingHost host, RegistryConfig config) throws Exception {
    lookUp(host, config, Answer.values());
    var queue = new FakeDeadLetterQueue();
    var letters = new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 10);
    try (SchemaRegistry registry = config.open()) {
      land(host, config, registry, letters, 100);
      LOG.info("the dead letters are {}", queue.taken);
      land(host, config, registry, TestTask.BadRecords.STOP, 101);
    } catch (LandingException e) {
      LOG.error("the task has failed", e);
    }
  }

  /** Lets a record wait for its schema until the registry answers that there is none. */
  private static void land(
      EchoingHost host,
      RegistryConfig config,
      SchemaRegistry registry,
      TestTask.BadRecords badRecords,
      int schemaId) {
    var topic = new FakeTopic("quotes");
    topic.produce(0, value(schemaId));
    host.answers(Answer.SERVER_ERROR);
    int asked = host.asked();
    try (TestTask task =
        new TestTask(
            topic,
            new MemoryStorage(),
            registry,
            () -> config.reader(topic.name),
            PartitionSpec.NONE,
            Optional.empty(),
            50,
            100,
            badRecords,
            TestTask.Limits.WIDE)) {
      task.open(0);
      // The third failure is logged with its stack trace, before a fourth lookup. One request is
      // for a token.
      task.pollUntil(() -> host.asked() >= asked + 5);
      host.answers(Answer.UNKNOWN_ID);
      task.pollUntilLanded(0);
    }
  }

  /**
   * Lands a record with a hashed field. Then come a damaged one, and one whose field cannot be
   * hashed.
   */
  private static void landHashed() throws IOException {
    SchemaMapping mapping = SchemaMapping.builder().hash("key", SECRET + "-salt").build();
    Table table =
        new Table(
            new TableName("default", "quotes"),
            new TableLayout(Quotes.ROOT),
            PartitionSpec.NONE,
            new TableOptions(
                Optional.empty(), true, true, false, true, mapping, SchemaRules.DEFAULT));
    LOG.info("the table is {}", table);
    LOG.info(
        "its plan is {}",
        mapping.plan(Quotes.SCHEMA, mapping.schema(Quotes.SCHEMA), List.of("key")));
    var quotes = new Quotes();
    quotes.produce("x");
    quotes.topic.produce(0, value(Quotes.SCHEMA_ID));
    landHashed(quotes, Quotes.SCHEMA, table);
    LOG.info("hashed: {}", quotes.keys());
    Schema number =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredDouble("key")
            .requiredLong("price")
            .endRecord();
    var numbers = new Quotes();
    numbers.topic.produce(0, value(Quotes.SCHEMA_ID));
    landHashed(numbers, number, table);
  }

  private static void landHashed(Quotes quotes, Schema schema, Table table) {
    var queue = new FakeDeadLetterQueue();
    Optional<LandingException> refused =
        quotes.landOrStop(
            new TestTask(
                quotes.topic,
                quotes.storage,
                new OneSchema(schema, Quotes.SCHEMA_ID),
                FramingReader::new,
                topic -> Routing.toOne(table),
                Optional.empty(),
                100,
                100,
                new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 10),
                TestTask.Limits.WIDE,
                Clock.systemUTC(),
                OperatorConsent.NONE));
    LOG.info("the dead letters are {}", queue.taken);
    refused.ifPresent(e -> LOG.error("the table with a hash has refused a schema", e));
  }

  /** The id of a schema in four bytes, valid for both kinds of registries, and a datum. */
  private static byte[] value(int schemaId) {
    return ByteBuffer.allocate(6).put((byte) 0).putInt(schemaId).array();
  }

  /** Starts whole tasks by the framework's calls, while their services are unavailable. */
  private void startTasks() throws Exception {
    Path hadoop = Files.createDirectory(directory.resolve("hadoop"));
    Files.writeString(
        hadoop.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>ipc.client.connect.max.retries</name><value>0</value></property>
          <property><name>hadoop.http.authentication.secret</name><value>%s-hadoop</value></property>
        </configuration>
        """
            .formatted(SECRET));
    String store = directory.resolve("store").toUri().toString();
    run("kafka-away", Map.of("store.url", store));
    run(
        "hdfs-away",
        Map.of("store.url", "hdfs://localhost:1", "hadoop.conf.dir", hadoop.toString()));
    run("store-refused", Map.of("store.url", "s3a://key:" + SECRET + "-store@bucket"));
    run("store-with-a-user", Map.of("store.url", "hdfs://ann:" + SECRET + "-store@localhost:1"));
    run(
        "stores-of-kafka-missing",
        Map.of(
            "store.url", store,
            "kafka.security.protocol", "SASL_SSL",
            "kafka.ssl.truststore.location", "/nowhere"));
    run("kdc-away", kerberos());
    Map<String, String> wrongPassword = new HashMap<>(keyFiles());
    wrongPassword.put("store.url", store);
    wrongPassword.put("schema.registry.ssl.keystore.password", SECRET + "-wrong");
    run("key-store-not-opened", wrongPassword);
  }

  /** A login with a keytab, and TLS to the Metastore with stores of a wrong password. */
  private Map<String, String> kerberos() throws IOException {
    Path krb5 = directory.resolve("krb5.conf");
    Files.writeString(
        krb5,
        """
        [libdefaults]
        default_realm = EXAMPLE.COM
        udp_preference_limit = 1
        [realms]
        EXAMPLE.COM = {
          kdc = localhost:1
        }
        """);
    System.setProperty("java.security.krb5.conf", krb5.toString());
    Path keytab = KeytabFixture.write(directory.resolve("a.keytab"), "alice", "EXAMPLE.COM");
    Map<String, String> settings = new HashMap<>();
    settings.put("store.url", "hdfs://localhost:1");
    settings.put("hdfs.authentication.kerberos", "true");
    settings.put("connect.hdfs.principal", "alice@EXAMPLE.COM");
    settings.put("connect.hdfs.keytab", keytab.toString());
    settings.put("hive.integration", "true");
    settings.put("hive.metastore.uris", "thrift://localhost:1");
    settings.put("hive.metastore.kerberos.principal", "hive/_HOST@EXAMPLE.COM");
    settings.put("hive.metastore.use.SSL", "true");
    for (String store : List.of("truststore", "keystore")) {
      String prefix = "hive.metastore." + store;
      settings.put(prefix + ".path", directory.resolve(KEY_STORE).toString());
      settings.put(prefix + ".password", SECRET + "-hive-" + store);
    }
    return settings;
  }

  private void run(String name, Map<String, String> differing) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("name", name);
    settings.put("topics", "quotes");
    settings.put("kafka.bootstrap.servers", "localhost:1");
    settings.put("kafka.default.api.timeout.ms", "300");
    settings.put("kafka.request.timeout.ms", "200");
    settings.put("kafka.security.protocol", "SASL_PLAINTEXT");
    settings.put("kafka.sasl.mechanism", "PLAIN");
    settings.put(
        "kafka.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"ann\" password=\""
            + SECRET
            + "-jaas\";");
    settings.put("kafka.ssl.truststore.password", SECRET + "-kafka-trust");
    settings.put("kafka.ssl.keystore.password", SECRET + "-kafka-keys");
    settings.put("kafka.ssl.key.password", SECRET + "-kafka-key");
    settings.put("consumer.override.sasl.jaas.config", SECRET + "-consumer");
    settings.put("schema.registry.url", "http://" + URL_USER + "@localhost:1");
    settings.put("request.header.X-Api-Key", SECRET + "-header");
    settings.put("fields.hash", "ssn");
    settings.put("fields.hash.salt", SECRET + "-salt");
    settings.put("retry.backoff.ms", "100");
    settings.put("shutdown.timeout.ms", "100");
    settings.putAll(differing);
    for (ConfigValue value : new TidemarkSinkConnector().validate(settings).configValues()) {
      LOG.info("{}={} {}", value.name(), value.value(), value.errorMessages());
    }
    said.reset();
    var task = new TidemarkSinkTask();
    task.initialize(new Context(settings));
    try {
      task.start(settings);
      task.open(TOPIC_PARTITIONS);
      long deadline = System.nanoTime() + DEADLINE_NANOS;
      while (!said.toString(UTF_8).contains("quotes-0: open: failed 3 times")) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(name + " did not fail three times");
        }
        task.put(List.of());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      beans();
      task.close(TOPIC_PARTITIONS);
    } catch (RuntimeException e) {
      // Connect shows this as the task's trace.
      LOG.error("{} has failed", name, e);
    } finally {
      task.stop();
    }
  }

  /** Logs all attributes of the MBeans of the task and its clients. */
  private static void beans() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (String domains : List.of("tidemark.*:*", "kafka.*:*")) {
      for (ObjectName name : server.queryNames(new ObjectName(domains), null)) {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
          LOG.info(
              "{} {}={}",
              name,
              attribute.getName(),
              server.getAttribute(name, attribute.getName()));
        }
      }
    }
  }

  /** The part of the framework that a task without records needs. */
  private record Context(Map<String, String> configs) implements SinkTaskContext {
    @Override
    public void offset(Map<TopicPartition, Long> offsets) {}

    @Override
    public void offset(TopicPartition topicPartition, long offset) {}

    @Override
    public void timeout(long timeoutMs) {}

    @Override
    public Set<TopicPartition> assignment() {
      return Set.copyOf(TOPIC_PARTITIONS);
    }

    @Override
    public void pause(TopicPartition... topicPartitions) {}

    @Override
    public void resume(TopicPartition... topicPartitions) {}

    @Override
    public void requestCommit() {}
  }
}
