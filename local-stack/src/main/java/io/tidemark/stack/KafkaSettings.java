package io.tidemark.stack;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the brokers of a cluster are started: the first of them is the controller, too. They make no
 * topics by themselves and keep all records.
 *
 * @param ports of the brokers, the first one's first
 * @param controllerPort where the first broker answers as the controller
 * @param moreProperties broker properties that go before these, but for {@code listeners}: those
 *     are added, as the stack's own clients need the one that is here
 */
record KafkaSettings(List<Integer> ports, int controllerPort, Map<String, String> moreProperties) {

  private static final int HEAP_MEGABYTES = 640;
  private static final int HEAP_OF_SEVERAL_MEGABYTES = 256;
  private static final int MOST_REPLICAS = 3;
  private static final String LISTENERS = "listeners";

  KafkaSettings {
    ports = List.copyOf(ports);
    moreProperties = Map.copyOf(moreProperties);
  }

  /** Those of a number of brokers on free ports. */
  static KafkaSettings of(int brokers, Map<String, String> moreProperties) {
    if (brokers < 1) {
      throw new IllegalArgumentException(brokers + " Kafka brokers: at least 1 is needed");
    }
    return new KafkaSettings(
        Stream.generate(FreePorts::next).limit(brokers).toList(), FreePorts.next(), moreProperties);
  }

  /** The ids of the brokers, from 1. */
  List<Integer> ids() {
    return IntStream.rangeClosed(1, ports.size()).boxed().toList();
  }

  /** The server's name. Example: {@code kafka-2}, {@code kafka} where it is the only one. */
  String name(int id) {
    return isAlone() ? "kafka" : "kafka-" + id;
  }

  int port(int id) {
    return ports.get(id - 1);
  }

  /** Where clients connect to one broker. Example: {@code localhost:23456}. */
  String address(int id) {
    return "localhost:" + port(id);
  }

  /** The addresses of all brokers, separated by commas. */
  String bootstrapServers() {
    return ids().stream().map(this::address).collect(Collectors.joining(","));
  }

  int heapMegabytes() {
    return isAlone() ? HEAP_MEGABYTES : HEAP_OF_SEVERAL_MEGABYTES;
  }

  /** How many brokers have each of the topics that must not be lost with one of them. */
  int replicas() {
    return Math.min(ports.size(), MOST_REPLICAS);
  }

  private boolean isAlone() {
    return ports.size() == 1;
  }

  /** The properties of one broker. */
  Map<String, String> properties(int id, Path logDirectory) {
    String replicas = Integer.toString(replicas());
    String controller = "localhost:" + controllerPort;
    String listeners = "PLAINTEXT://" + address(id);
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
      // A broker that is lost should be noticed within seconds.
      settings.put("broker.heartbeat.interval.ms", "500");
      settings.put("broker.session.timeout.ms", "3000");
      // All are stopped at once, and the controller would not answer any more.
      settings.put("controlled.shutdown.enable", "false");
    }
    moreProperties.forEach(
        (key, value) ->
            settings.merge(
                key, value, (own, more) -> key.equals(LISTENERS) ? own + "," + more : more));
    return settings;
  }
}
