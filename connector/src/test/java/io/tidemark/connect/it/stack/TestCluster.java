package io.tidemark.connect.it.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A Kafka cluster, and the schema registry for the records that the tests produce. */
public final class TestCluster implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** All sent records finally arrive, whatever a test does to the brokers. */
  private static final int DELIVERY_MS = 600_000;

  private final Map<String, ?> clients;
  private final String registryUrl;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, Integer> schemaIds = new ConcurrentHashMap<>();

  /**
   * Connects to a cluster.
   *
   * @param clients the settings of all clients: the address, and those of a login
   */
  public TestCluster(Map<String, ?> clients, String registryUrl) {
    this.clients = Map.copyOf(clients);
    this.registryUrl = registryUrl;
    this.admin = Admin.create(Map.copyOf(clients));
    this.producer = producer(Map.of());
  }

  private Producer<byte[], byte[]> producer(Map<String, Object> differing) {
    Map<String, Object> settings = new HashMap<>(clients);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DELIVERY_MS);
    settings.putAll(differing);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  public Admin admin() {
    return admin;
  }

  /** Each record is acknowledged by all in-sync replicas, and written once. */
  Producer<byte[], byte[]> producer() {
    return producer;
  }

  /** The caller closes it. */
  Producer<byte[], byte[]> transactionalProducer(String id) {
    return producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id));
  }

  /** Creates a topic. Each of its topic-partitions has this number of replicas. */
  public SourceTopic topic(String name, int topicPartitions, int replicas) {
    return new SourceTopic(
        this, new NewTopic(name, topicPartitions, (short) replicas), topicPartitions);
  }

  /**
   * Does the same as {@link #topic}, for a test that breaks brokers under a load: the brokers set
   * the records' timestamps. A broker forgets producers by the time of their last record
   * (producer.id.expiration.ms, a day). The readings' own time is older. A restarted broker would
   * therefore accept a batch twice if its acknowledgement was lost.
   */
  public SourceTopic topicOfThePresent(String name, int topicPartitions, int replicas) {
    return new SourceTopic(
        this,
        new NewTopic(name, topicPartitions, (short) replicas)
            .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime")),
        topicPartitions);
  }

  /** The id of a schema, registered under the subject of a topic's values. */
  int register(String topic, Schema schema) {
    return schemaIds.computeIfAbsent(topic + schema, key -> registered(topic, schema));
  }

  private int registered(String topic, Schema schema) {
    URI uri = URI.create(registryUrl + "/subjects/" + topic + "-value/versions");
    try {
      String body =
          JSON.writeValueAsString(JSON.createObjectNode().put("schema", schema.toString()));
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(uri)
                  .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      JsonNode id = JSON.readTree(answer.body()).path("id");
      if (!id.isInt()) {
        throw new IllegalStateException(uri + " answered " + answer.body());
      }
      return id.intValue();
    } catch (IOException e) {
      throw new UncheckedIOException(uri.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(uri + ": interrupted", e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
