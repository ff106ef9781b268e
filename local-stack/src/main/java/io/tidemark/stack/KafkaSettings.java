package io.tidemark.stack;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of a cluster's brokers. The first one is also the controller. They do not create
 * topics automatically, and they retain all records.
 *
 * @param ports the ports of the brokers, in the order of their ids
 * @param controllerPort the port of the first broker as controller
 * @param moreProperties broker properties that override these; only {@code listeners} are added,
 *     because the stack's own clients need the listener here
 * @param jvmOptions options for the JVM of each broker
 */
record KafkaSettings(
    List<Integer> ports,
    int controllerPort,
    Optional<Security> security,
    Map<String, String> moreProperties,
    List<String> jvmOptions) {

  private static final int HEAP_MEGABYTES = 640;
  private static final int HEAP_OF_SEVERAL_MEGABYTES = 256;
  private static final int MOST_REPLICAS = 3;
  private static final String LISTENERS = "listeners";

  KafkaSettings {
    ports = List.copyOf(ports);
    moreProperties = Map.copyOf(moreProperties);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Returns the settings of a number of brokers on free ports. */
  static KafkaSettings of(
      int brokers,
      Optional<Security> security,
      Map<String, String> moreProperties,
      List<String> jvmOptions) {
    if (brokers < 1) {
      throw new IllegalArgumentException(brokers + " Kafka brokers: at least 1 is needed");
    }
    return new KafkaSettings(
        Stream.generate(FreePorts::next).limit(brokers).toList(),
        FreePorts.next(),
        security,
        moreProperties,
        security.map(s -> s.with(jvmOptions)).orElse(jvmOptions));
  }

  /** Returns the ids of the brokers, from 1. */
  List<Integer> ids() {
    return IntStream.rangeClosed(1, ports.size()).boxed().toList();
  }

  /** Returns the server's name. Examples: {@code kafka-2}; {@code kafka} if it is the only one. */
  String name(int id) {
    return isAlone() ? "kafka" : "kafka-" + id;
  }

  int port(int id) {
    return ports.get(id - 1);
  }

  /** Returns the address of one broker. Example: {@code localhost:23456}. */
  String address(int id) {
    return "localhost:" + port(id);
  }

  /** Returns the addresses of all brokers, separated by commas. */
  String bootstrapServers() {
    return ids().stream().map(this::address).collect(Collectors.joining(","));
  }

  int heapMegabytes() {
    return isAlone() ? HEAP_MEGABYTES : HEAP_OF_SEVERAL_MEGABYTES;
  }

  /** Returns the replication factor of topics that must survive the loss of a broker. */
  int replicas() {
    return Math.min(ports.size(), MOST_REPLICAS);
  }

  private boolean isAlone() {
    return ports.size() == 1;
  }

  /** Returns the properties of one broker. */
  Map<String, String> properties(int id, Path logDirectory) {
    String replicas = Integer.toString(replicas());
    String controller = "localhost:" + controllerPort;
    String listeners = (security.isPresent() ? "SASL_SSL://" : "PLAINTEXT://") + address(id);
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", id == 1 ? "broker,controller" : "broker");
    settings.put("node.id", Integer.toString(id));
    settings.put("controller.quorum.voters", "1@" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(LISTENERS, id == 1 ? listeners + ",CONTROLLER://" + controller : listeners);
    settings.put("log.dirs", logDirectory.toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("log.retention.ms", "-1");
    settings.put("log.cleaner.dedupe.buffer.size", "16777216");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("offsets.topic.replication.factor", replicas);
    settings.put("offsets.topic.num.partitions", "5");
    settings.put("transaction.state.log.replication.factor", replicas);
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "5");
    settings.put("share.coordinator.state.topic.replication.factor", replicas);
    settings.put("share.coordinator.state.topic.min.isr", "1");
    if (!isAlone()) {
      // Detect a lost broker within seconds.
      settings.put("broker.heartbeat.interval.ms", "500");
      settings.put("broker.session.timeout.ms", "3000");
      // All brokers are stopped at once, so the controller would no longer answer.
      settings.put("controlled.shutdown.enable", "false");
    }
    security.ifPresent(s -> secure(s, settings));
    moreProperties.forEach(
        (key, value) ->
            settings.merge(
                key, value, (own, more) -> key.equals(LISTENERS) ? own + "," + more : more));
    return settings;
  }

  /** Lets clients and brokers log in with Kerberos. The controller's listener stays open. */
  private static void secure(Security security, Map<String, String> settings) {
    settings.putAll(security.certificates().ofKafkaBroker());
    settings.put(
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,"
            + "SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL");
    settings.put("security.inter.broker.protocol", "SASL_SSL");
    settings.put("sasl.mechanism.inter.broker.protocol", "GSSAPI");
    settings.put("sasl.enabled.mechanisms", "GSSAPI");
    settings.put("sasl.kerberos.service.name", "kafka");
    settings.put("sasl.kerberos.min.time.before.relogin", "5000");
    settings.put(
        "listener.name.sasl_ssl.gssapi.sasl.jaas.config",
        security.realm().jaasConfig(Security.KAFKA));
  }

  /** Returns the properties of a client; in a secured cluster, of the brokers' own principal. */
  Map<String, String> client() {
    return client(Security.KAFKA);
  }

  /** Returns the properties with which a principal connects to a secured cluster. */
  Map<String, String> client(String principal) {
    Map<String, String> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers());
    security.ifPresent(s -> properties.putAll(s.kafkaClient(principal)));
    return properties;
  }
}
