package io.tidemark.cli.adopt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The records that an old sink had in Kafka.
 *
 * @param lines a line for each record: topic, partition, offset, timestamp, schemaId, value
 * @param schemas the schemas by the ids of the lines
 */
public record SentRecords(List<JsonNode> lines, Map<Integer, Schema> schemas) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Records that are sent to each topic-partition after those that the old sink may have read. */
  private static final int LATER = 2;

  public Set<String> topics() {
    Set<String> topics = new TreeSet<>();
    lines.forEach(each -> topics.add(each.get("topic").asText()));
    return topics;
  }

  public int partitions(String topic) {
    return lines.stream()
            .filter(each -> each.get("topic").asText().equals(topic))
            .mapToInt(each -> each.get("partition").asInt())
            .max()
            .orElse(0)
        + 1;
  }

  /** Returns whether a line is a record: not a tombstone, no damaged one, and not aborted. */
  public static boolean isRecord(JsonNode line) {
    return line.get("value").isObject() && !isAborted(line);
  }

  /** Returns whether the transaction of a line was aborted. */
  public static boolean isAborted(JsonNode line) {
    return line.get("value").path("text").asText().equals("aborted");
  }

  public long count(String topic) {
    return lines.stream().filter(each -> each.get("topic").asText().equals(topic)).count();
  }

  /** Adds records, like the first one, to each topic-partition. */
  public SentRecords continued() {
    List<JsonNode> all = new ArrayList<>(lines);
    for (List<JsonNode> each : byTopicPartition()) {
      JsonNode first = each.stream().filter(SentRecords::isRecord).findFirst().orElseThrow();
      long number = each.stream().mapToLong(line -> line.at("/value/n").asLong()).max().orElse(0);
      long offset = offset(each.get(each.size() - 1)) + (hasTransactions(each) ? 1 : 0);
      for (int i = 1; i <= LATER; i++) {
        ObjectNode line = first.deepCopy();
        line.put("offset", offset + i);
        ((ObjectNode) line.get("value")).put("n", number + i);
        all.add(line);
      }
    }
    return new SentRecords(all, schemas);
  }

  private Collection<List<JsonNode>> byTopicPartition() {
    Map<String, List<JsonNode>> found = new TreeMap<>();
    for (JsonNode each : lines) {
      found
          .computeIfAbsent(
              each.get("topic") + " " + each.get("partition"), key -> new ArrayList<>())
          .add(each);
    }
    found.values().forEach(each -> each.sort(Comparator.comparingLong(SentRecords::offset)));
    return found.values();
  }

  private static long offset(JsonNode line) {
    return line.get("offset").asLong();
  }

  /** Returns whether offsets are missing between the records: those of transactions' markers. */
  private static boolean hasTransactions(List<JsonNode> ordered) {
    return offset(ordered.get(ordered.size() - 1)) - offset(ordered.get(0)) >= ordered.size();
  }

  /** Writes records to files, with the schemas with which they were sent. */
  public void write(Path directory, List<JsonNode> records) throws IOException {
    for (Map.Entry<Integer, Schema> each : schemas.entrySet()) {
      try (DataFileWriter<Object> file = new DataFileWriter<>(new GenericDatumWriter<>())) {
        file.create(each.getValue(), directory.resolve(each.getKey() + ".avro").toFile());
        for (JsonNode line : records) {
          if (line.get("schemaId").asInt() == each.getKey()) {
            file.append(datum(each.getValue(), line.get("value")));
          }
        }
      }
    }
  }

  /** Produces all records; each gets the offset that it had. */
  public void produce(String servers, String registry) throws Exception {
    Map<Integer, Integer> ids = new HashMap<>();
    for (Map.Entry<Integer, Schema> each : schemas.entrySet()) {
      ids.put(each.getKey(), register(registry, each.getValue()));
    }
    for (List<JsonNode> each : byTopicPartition()) {
      Map<String, Object> settings = new HashMap<>();
      settings.put("bootstrap.servers", servers);
      settings.put("linger.ms", "20");
      if (hasTransactions(each)) {
        settings.put("transactional.id", UUID.randomUUID().toString());
      }
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        produce(each, ids, producer);
      }
      if (offset(each.get(0)) > 0) {
        deleteBefore(each.get(0), servers);
      }
    }
  }

  private void produce(
      List<JsonNode> ordered, Map<Integer, Integer> ids, KafkaProducer<byte[], byte[]> producer)
      throws Exception {
    boolean transactions = hasTransactions(ordered);
    if (transactions) {
      producer.initTransactions();
    }
    for (long before = 0; before < offset(ordered.get(0)); before++) {
      var unused = producer.send(record(ordered.get(0), new byte[0]));
    }
    List<Future<RecordMetadata>> results = new ArrayList<>();
    for (int i = 0; i < ordered.size(); i++) {
      JsonNode line = ordered.get(i);
      if (transactions && (i == 0 || offset(ordered.get(i - 1)) < offset(line) - 1)) {
        producer.beginTransaction();
      }
      results.add(producer.send(record(line, encoded(line, ids))));
      if (transactions
          && (i + 1 == ordered.size() || offset(ordered.get(i + 1)) > offset(line) + 1)) {
        producer.flush();
        if (isAborted(line)) {
          producer.abortTransaction();
        } else {
          producer.commitTransaction();
        }
      }
    }
    for (int i = 0; i < results.size(); i++) {
      assertThat(results.get(i).get().offset()).isEqualTo(offset(ordered.get(i)));
    }
  }

  private static ProducerRecord<byte[], byte[]> record(JsonNode line, byte @Nullable [] value) {
    return new ProducerRecord<>(
        line.get("topic").asText(),
        line.get("partition").asInt(),
        line.get("timestamp").asLong(),
        null,
        value);
  }

  private static void deleteBefore(JsonNode first, String servers) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin
          .deleteRecords(
              Map.of(
                  new TopicPartition(first.get("topic").asText(), first.get("partition").asInt()),
                  RecordsToDelete.beforeOffset(offset(first))))
          .all()
          .get();
    }
  }

  private static int register(String registry, Schema schema) throws Exception {
    String body = JSON.writeValueAsString(Map.of("schema", schema.toString()));
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            registry
                                + "/subjects/adopted-"
                                + schema.getName().hashCode()
                                + "-"
                                + schema.hashCode()
                                + "/versions"))
                    .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(response.body()).get("id").asInt();
  }

  private byte @Nullable [] encoded(JsonNode line, Map<Integer, Integer> ids) throws IOException {
    JsonNode value = line.get("value");
    if (value.isNull()) {
      return null;
    }
    int sentId = line.get("schemaId").asInt();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Schema schema = schemas.get(sentId);
    if (schema == null) {
      // A damaged record: a text without an id, or the id of no schema.
      out.writeBytes(line.get("schemaId").isNull() ? new byte[0] : prefix(sentId));
      out.writeBytes(value.asText().getBytes(UTF_8));
      return out.toByteArray();
    }
    out.writeBytes(prefix(ids.getOrDefault(sentId, 0)));
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(datum(schema, value), encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static byte[] prefix(int id) {
    return ByteBuffer.allocate(5).put((byte) 0).putInt(id).array();
  }

  private static @Nullable Object datum(Schema schema, @Nullable JsonNode value) {
    JsonNode node = value == null ? JSON.nullNode() : value;
    return switch (schema.getType()) {
      case NULL -> null;
      case BOOLEAN -> node.asBoolean();
      case INT -> number(schema, node).intValue();
      case LONG -> number(schema, node).longValue();
      case FLOAT -> (float) node.asDouble();
      case DOUBLE -> node.asDouble();
      case STRING -> node.asText();
      case ENUM -> new GenericData.EnumSymbol(schema, node.asText());
      case FIXED -> new GenericData.Fixed(schema, HexFormat.of().parseHex(node.asText()));
      case BYTES ->
          ByteBuffer.wrap(
              schema.getLogicalType() instanceof LogicalTypes.Decimal
                  ? new BigDecimal(node.asText()).unscaledValue().toByteArray()
                  : HexFormat.of().parseHex(node.asText()));
      case ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        node.forEach(each -> items.add(datum(schema.getElementType(), each)));
        yield items;
      }
      case MAP -> {
        Map<String, @Nullable Object> entries = new HashMap<>();
        node.properties()
            .forEach(
                each -> entries.put(each.getKey(), datum(schema.getValueType(), each.getValue())));
        yield entries;
      }
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        schema
            .getFields()
            .forEach(
                field -> record.put(field.name(), datum(field.schema(), node.get(field.name()))));
        yield record;
      }
      case UNION -> datum(branch(schema, node), node);
    };
  }

  private static Schema branch(Schema union, JsonNode node) {
    for (Schema each : union.getTypes()) {
      boolean text = node.isTextual();
      boolean fits =
          switch (each.getType()) {
            case NULL -> node.isNull();
            case STRING, ENUM, BYTES, FIXED -> text;
            case INT, LONG -> node.isIntegralNumber() || (text && each.getLogicalType() != null);
            case FLOAT, DOUBLE -> node.isNumber();
            case BOOLEAN -> node.isBoolean();
            case ARRAY -> node.isArray();
            case MAP, RECORD -> node.isObject();
            case UNION -> false;
          };
      if (fits) {
        return each;
      }
    }
    throw new IllegalArgumentException(node + " is of no branch of " + union);
  }

  private static Number number(Schema schema, JsonNode node) {
    if (!node.isTextual()) {
      return node.asLong();
    }
    String text = node.asText();
    return switch (String.valueOf(
        schema.getLogicalType() == null ? "" : schema.getLogicalType().getName())) {
      case "date" -> LocalDate.parse(text).toEpochDay();
      case "time-millis" -> LocalTime.parse(text).toNanoOfDay() / 1_000_000;
      case "time-micros" -> LocalTime.parse(text).toNanoOfDay() / 1_000;
      case "timestamp-millis" -> time(text, ChronoUnit.MILLIS);
      case "timestamp-micros" -> time(text, ChronoUnit.MICROS);
      default -> Long.parseLong(text);
    };
  }

  private static long time(String text, ChronoUnit unit) {
    return unit.between(
        OffsetDateTime.parse("1970-01-01T00:00:00Z"), OffsetDateTime.parse(text.replace(' ', 'T')));
  }
}
