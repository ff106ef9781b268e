package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.SecurityOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The topics of a workload, filled with stock quotes, each preceded by its schema id. They are not
 * compressed, because the sink is measured, not Kafka.
 *
 * <p>Event times increase over a trading day of six and a half hours. If a workload sets the number
 * of Hive partitions, each record of a topic-partition has another hour than the previous one:
 * earlier and earlier, and then from the first hour again.
 */
final class QuoteTopics {
  private static final long SESSION_MS = 6 * 3_600_000L + 1_800_000L;
  private static final long HOUR_MS = 3_600_000L;
  private static final int UNACKNOWLEDGED_RECORDS = 50_000;
  private static final int HEADER_BYTES = 5;
  private static final Duration LEADERS = Duration.ofMinutes(10);
  private static final int BATCH_BYTES = 256 * 1024;

  private static final int MOST_INDEX_BYTES = 1 << 20;

  /** The bytes of all index files of a topic. */
  private static final int ALL_INDEX_BYTES = 1 << 30;

  private final LocalStack stack;
  private final Workload workload;
  private final Quotes quotes;

  QuoteTopics(LocalStack stack, Workload workload) throws IOException {
    this.stack = stack;
    this.workload = workload;
    quotes = Quotes.of(workload);
  }

  Workload workload() {
    return workload;
  }

  /** Returns the first schema of the records. */
  String schema() {
    return quotes.versions().get(0).schema().toString();
  }

  /** Returns the bytes of a value of the first schema. */
  int bytesPerRecord() {
    return HEADER_BYTES + quotes.datumBytes();
  }

  /**
   * Returns the number of records that the producer writes to a topic-partition before it goes to
   * the next one.
   */
  int consecutive() {
    return Math.max(1, BATCH_BYTES / (bytesPerRecord() + 10));
  }

  /** Registers the schemas, creates the topics and fills them. */
  void fill() throws IOException, InterruptedException, ExecutionException {
    List<Integer> ids = register();
    List<TopicPartition> topicPartitions = create();
    produce(ids, topicPartitions);
  }

  /** Registers the schemas, and returns their ids. */
  List<Integer> register() throws IOException, InterruptedException {
    var ids = new ArrayList<Integer>();
    for (Quotes.Version version : quotes.versions()) {
      String schema = version.schema().toString();
      // Each record type has a subject of its own, so that all types get an id.
      ids.add(register(workload.name() + "-" + Integer.toHexString(schema.hashCode()), schema));
      if (quotes.versions().size() == 1) {
        // Some converters look for the id there.
        for (String topic : workload.topicNames()) {
          register(topic + "-value", schema);
        }
      }
    }
    return ids;
  }

  /**
   * Returns the size of each of the two index files that Kafka allocates for a topic-partition.
   * With the default of 10 MiB, a thousand topic-partitions would need 20 GB.
   */
  private String indexBytes() {
    return Integer.toString(
        Math.min(MOST_INDEX_BYTES, ALL_INDEX_BYTES / workload.topicPartitions()));
  }

  /** Creates the topics; returns when each topic-partition has a leader that answers. */
  List<TopicPartition> create() throws InterruptedException, ExecutionException {
    Map<String, String> settings = Map.of("segment.index.bytes", indexBytes());
    var topicPartitions = new ArrayList<TopicPartition>();
    for (int number = 0; number < workload.topicPartitions(); number++) {
      for (String topic : workload.topicNames()) {
        topicPartitions.add(new TopicPartition(topic, number));
      }
    }
    try (Admin admin = stack.kafka().admin()) {
      admin
          .createTopics(
              workload.topicNames().stream()
                  .map(
                      topic ->
                          new NewTopic(topic, workload.topicPartitions(), (short) 1)
                              .configs(settings))
                  .toList())
          .all()
          .get();
      Polling.until(
          "topic-partitions have leaders", LEADERS, () -> missingLeader(admin, topicPartitions));
    }
    return topicPartitions;
  }

  /**
   * Returns the error of a topic-partition without a leader, if there is one.
   *
   * <p>The broker answers that topics are created before its metadata has them, and then creates
   * the logs one by one. Until then it does not know the topic, or is not the leader. The client
   * retries only the second error. On a busy disk a log takes 50 ms and a thousand take a minute,
   * so that a producer's batches would expire.
   */
  private static Optional<String> missingLeader(Admin admin, List<TopicPartition> topicPartitions) {
    KafkaFuture<?> offsets =
        admin
            .listOffsets(
                topicPartitions.stream()
                    .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest())),
                new ListOffsetsOptions().timeoutMs((int) LEADERS.toMillis()))
            .all();
    try {
      offsets.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException unknown) {
        return Optional.of(unknown.toString());
      }
      throw new IllegalStateException("the topics have no leaders", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the topics had leaders", e);
    }
  }

  /**
   * Fills the topic-partitions with one producer batch after another. If records went to a thousand
   * topic-partitions in turn, each would have an open batch. The producer has no memory for that,
   * and would send batches of one record.
   */
  private void produce(List<Integer> ids, List<TopicPartition> topicPartitions)
      throws InterruptedException, ExecutionException {
    Deque<Future<RecordMetadata>> unacknowledged = new ArrayDeque<>();
    Map<String, Object> client =
        new HashMap<>(stack.kafka().clientSettings(SecurityOptions.CONNECT));
    client.put(ProducerConfig.LINGER_MS_CONFIG, 50);
    client.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    client.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * 1024 * 1024);
    int stretch = consecutive();
    long[] sent = new long[topicPartitions.size()];
    try (var producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long i = 0; i < workload.records(); i++) {
        int at = (int) (i / stretch % sent.length);
        byte[] value = value(i, sent[at]++, ids);
        TopicPartition to = topicPartitions.get(at);
        unacknowledged.add(
            producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, value)));
        if (unacknowledged.size() > UNACKNOWLEDGED_RECORDS) {
          unacknowledged.remove().get();
        }
      }
      while (!unacknowledged.isEmpty()) {
        unacknowledged.remove().get();
      }
    }
  }

  /**
   * Returns a record's value.
   *
   * @param index the number of the record among all
   * @param offset the offset in its topic-partition
   */
  private byte[] value(long index, long offset, List<Integer> ids) {
    int version = (int) (offset % ids.size());
    List<byte[]> datums = quotes.versions().get(version).datums();
    byte[] datum = datums.get((int) (index % datums.size()));
    return value(datum, ids.get(version), timestamp(index, offset));
  }

  /** Returns the value of a record with an event time. */
  static byte[] value(byte[] datum, int id, long timestampMs) {
    byte[] value =
        ByteBuffer.allocate(HEADER_BYTES + datum.length)
            .put((byte) 0)
            .putInt(id)
            .put(datum)
            .array();
    setTimestamp(value, timestampMs);
    return value;
  }

  /** Returns the datums of the first schema. */
  List<byte[]> datums() {
    return quotes.versions().get(0).datums();
  }

  private long timestamp(long index, long offset) {
    return workload.hivePartitions() == 0
        ? Quotes.OPENING_MS + (long) ((double) index / workload.records() * SESSION_MS)
        : Quotes.OPENING_MS - offset % workload.hivePartitions() * HOUR_MS;
  }

  /** Replaces the second field, after the symbol: a zigzag varint of 6 bytes, as before. */
  private static void setTimestamp(byte[] value, long timestampMs) {
    int at = HEADER_BYTES + 1 + value[HEADER_BYTES] / 2;
    long zigzag = timestampMs << 1;
    for (int i = 0; i < 6; i++) {
      value[at + i] = (byte) (((zigzag >>> (7 * i)) & 0x7f) | (i < 5 ? 0x80 : 0));
    }
  }

  private int register(String subject, String schema) throws IOException, InterruptedException {
    var json = new ObjectMapper();
    URI uri = URI.create(stack.registry().url() + "/subjects/" + subject + "/versions");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    json.writeValueAsString(Map.of("schema", schema))))
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    JsonNode id = json.readTree(response.body()).path("id");
    if (response.statusCode() != 200 || !id.isInt()) {
      throw new IllegalStateException(
          "POST %s answers %d: %s".formatted(uri, response.statusCode(), response.body()));
    }
    return id.asInt();
  }
}
