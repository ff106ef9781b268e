package io.tidemark.connect.it.stack;

import io.tidemark.connect.it.landed.LandedTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings of a test's connector: its topics, and the differences from the settings that all
 * tests share.
 */
public record ConnectorSettings(
    String name, List<SourceTopic> topics, Map<String, String> differing) {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  public ConnectorSettings {
    topics = List.copyOf(topics);
    differing = Map.copyOf(differing);
  }

  public static ConnectorSettings of(String name, SourceTopic... topics) {
    return new ConnectorSettings(name, Arrays.asList(topics), Map.of());
  }

  /** The settings of another connector with the same topics and the same differences. */
  public ConnectorSettings named(String other) {
    return new ConnectorSettings(other, topics, differing);
  }

  /** These settings with another value for a key. */
  public ConnectorSettings with(String key, String value) {
    Map<String, String> more = new HashMap<>(differing);
    more.put(key, value);
    return new ConnectorSettings(name, topics, more);
  }

  public ConnectorSettings with(String key, long value) {
    return with(key, Long.toString(value));
  }

  /**
   * These settings, with tables by the hour of Kafka's timestamps. Completeness is stated every two
   * seconds, without lateness.
   */
  public ConnectorSettings statedByTheHour() {
    return with("partitioner.class", "TimeBasedPartitioner")
        .with("path.format", "'dt'=yyyy-MM-dd/'hour'=HH")
        .with("partition.duration.ms", 3_600_000)
        .statedOften();
  }

  /** These settings, with statements of completeness every two seconds, without lateness. */
  public ConnectorSettings statedOften() {
    return with("completeness.interval.ms", 2_000)
        .with("completeness.lateness.ms", 0)
        .with("completeness.end.check.interval.ms", 1_000)
        .with("completeness.revision.interval.ms", 1_000);
  }

  /** The configuration for the REST API. A key with an empty value is omitted. */
  public Map<String, String> on(RealStack stack) {
    Map<String, String> config = new HashMap<>();
    config.put("name", name);
    config.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    config.put("tasks.max", "1");
    config.put("topics", topics.stream().map(SourceTopic::name).collect(Collectors.joining(",")));
    config.put("value.converter", BYTES);
    config.put("consumer.override.isolation.level", "read_committed");
    config.put("store.url", stack.services().hdfs().uri().toString());
    config.put("kafka.bootstrap.servers", stack.services().kafka().bootstrapServers());
    config.put("schema.registry.url", stack.services().registry().url());
    config.put("hive.integration", "true");
    config.put("hive.metastore.uris", stack.services().metastore().uris());
    config.put("hive.database", LandedTable.DATABASE);
    config.put("batch.interval.ms", "500");
    config.put("retry.backoff.ms", "1000");
    config.putAll(differing);
    config.values().removeIf(String::isEmpty);
    return config;
  }
}
