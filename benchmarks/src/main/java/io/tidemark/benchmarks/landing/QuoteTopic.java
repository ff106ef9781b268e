package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.benchmarks.records.ReferenceRecord;
import io.tidemark.stack.LocalStack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic of StockQuote-78 records whose event times rise over a trading day of six and a half
 * hours, with the schema's id in front. Not compressed: what is measured is the sink, not Kafka.
 */
final class QuoteTopic {
  static final String NAME = "quotes";
  static final int TOPIC_PARTITIONS = 4;

  /** Milliseconds since 1970: 2026-11-20T14:30Z. */
  private static final long OPENING_MS = 1_795_185_000_000L;

  private static final long SESSION_MS = 6 * 3_600_000L + 1_800_000L;
  private static final int UNACKNOWLEDGED_RECORDS = 50_000;
  private static final int HEADER_BYTES = 5;

  private final ReferenceRecord quote = ReferenceRecord.named("StockQuote-78");
  private final LocalStack stack;
  private final long records;

  QuoteTopic(LocalStack stack, long records) {
    this.stack = stack;
    this.records = records;
  }

  String schema() {
    return quote.writerSchema().toString();
  }

  /** Registers the schema, creates the topic and fills it; returns the bytes of a value. */
  int fill() throws IOException, InterruptedException, ExecutionException {
    int schemaId = register();
    try (Admin admin = stack.kafka().admin()) {
      admin.createTopics(Set.of(new NewTopic(NAME, TOPIC_PARTITIONS, (short) 1))).all().get();
    }
    byte[][] datums = quote.datums(8 << 20);
    byte[] header = ByteBuffer.allocate(HEADER_BYTES).put((byte) 0).putInt(schemaId).array();
    Deque<Future<RecordMetadata>> unacknowledged = new ArrayDeque<>();
    Map<String, Object> client =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            stack.kafka().bootstrapServers(),
            ProducerConfig.LINGER_MS_CONFIG,
            50,
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 * 1024,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            64L * 1024 * 1024);
    try (var producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long i = 0; i < records; i++) {
        byte[] datum = datums[(int) (i % datums.length)];
        byte[] value = new byte[HEADER_BYTES + datum.length];
        System.arraycopy(header, 0, value, 0, HEADER_BYTES);
        System.arraycopy(datum, 0, value, HEADER_BYTES, datum.length);
        setTimestamp(value, OPENING_MS + (long) ((double) i / records * SESSION_MS));
        unacknowledged.add(
            producer.send(new ProducerRecord<>(NAME, (int) (i % TOPIC_PARTITIONS), null, value)));
        if (unacknowledged.size() > UNACKNOWLEDGED_RECORDS) {
          unacknowledged.remove().get();
        }
      }
      while (!unacknowledged.isEmpty()) {
        unacknowledged.remove().get();
      }
    }
    return HEADER_BYTES + datums[0].length;
  }

  /** Writes the second field, behind the symbol: a zigzag varint of 6 bytes, as it was before. */
  private static void setTimestamp(byte[] value, long timestampMs) {
    int at = HEADER_BYTES + 1 + value[HEADER_BYTES] / 2;
    long zigzag = timestampMs << 1;
    for (int i = 0; i < 6; i++) {
      value[at + i] = (byte) (((zigzag >>> (7 * i)) & 0x7f) | (i < 5 ? 0x80 : 0));
    }
  }

  private int register() throws IOException, InterruptedException {
    var json = new ObjectMapper();
    URI uri = URI.create(stack.registry().url() + "/subjects/" + NAME + "-value/versions");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    json.writeValueAsString(Map.of("schema", schema()))))
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
