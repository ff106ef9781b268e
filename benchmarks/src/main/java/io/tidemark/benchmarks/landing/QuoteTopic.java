package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.benchmarks.records.ReferenceRecord;
import io.tidemark.stack.LocalStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
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
 *
 * <p>In the midst of a rolling change of the schema every second record of each topic-partition has
 * the newer one, which has a field more.
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
  private final boolean rolling;

  QuoteTopic(LocalStack stack, long records, boolean rolling) {
    this.stack = stack;
    this.records = records;
    this.rolling = rolling;
  }

  String schema() {
    return quote.writerSchema().toString();
  }

  /**
   * Registers the schemas, creates the topic and fills it; returns the bytes of a value of the
   * first schema.
   */
  int fill() throws IOException, InterruptedException, ExecutionException {
    var versions = new ArrayList<Version>();
    byte[][] quotes = quote.datums(8 << 20);
    versions.add(new Version(register(quote.writerSchema()), List.of(quotes)));
    if (rolling) {
      Schema newer = newer(quote.writerSchema());
      versions.add(new Version(register(newer), rewritten(quotes, quote.writerSchema(), newer)));
    }
    try (Admin admin = stack.kafka().admin()) {
      admin.createTopics(Set.of(new NewTopic(NAME, TOPIC_PARTITIONS, (short) 1))).all().get();
    }
    produce(versions);
    return HEADER_BYTES + quotes[0].length;
  }

  private void produce(List<Version> versions) throws InterruptedException, ExecutionException {
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
        byte[] value = versions.get((int) (i / TOPIC_PARTITIONS % versions.size())).value(i);
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
  }

  /** Some datums of a schema. */
  private record Version(int schemaId, List<byte[]> datums) {
    byte[] value(long index) {
      byte[] datum = datums.get(Math.floorMod(index, datums.size()));
      return ByteBuffer.allocate(HEADER_BYTES + datum.length)
          .put((byte) 0)
          .putInt(schemaId)
          .put(datum)
          .array();
    }
  }

  /** The same with a field in the middle that has a default. */
  private static Schema newer(Schema schema) {
    var fields = new ArrayList<Schema.Field>();
    schema.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
    Schema text = Schema.create(Schema.Type.STRING);
    fields.add(fields.size() / 2, new Schema.Field("venue", text, null, "XNAS"));
    return Schema.createRecord(
        schema.getName(), null, schema.getNamespace(), false, List.copyOf(fields));
  }

  private static List<byte[]> rewritten(byte[][] datums, Schema from, Schema to)
      throws IOException {
    var reader = new GenericDatumReader<GenericRecord>(from, to);
    var writer = new GenericDatumWriter<GenericRecord>(to);
    var rewritten = new ArrayList<byte[]>();
    for (byte[] datum : datums) {
      var out = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      writer.write(reader.read(null, DecoderFactory.get().binaryDecoder(datum, null)), encoder);
      rewritten.add(out.toByteArray());
    }
    return rewritten;
  }

  /** Writes the second field, behind the symbol: a zigzag varint of 6 bytes, as it was before. */
  private static void setTimestamp(byte[] value, long timestampMs) {
    int at = HEADER_BYTES + 1 + value[HEADER_BYTES] / 2;
    long zigzag = timestampMs << 1;
    for (int i = 0; i < 6; i++) {
      value[at + i] = (byte) (((zigzag >>> (7 * i)) & 0x7f) | (i < 5 ? 0x80 : 0));
    }
  }

  private int register(Schema schema) throws IOException, InterruptedException {
    var json = new ObjectMapper();
    URI uri = URI.create(stack.registry().url() + "/subjects/" + NAME + "-value/versions");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    json.writeValueAsString(Map.of("schema", schema.toString()))))
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
