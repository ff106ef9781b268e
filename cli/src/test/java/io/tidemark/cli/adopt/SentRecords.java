package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
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

  public long count(String topic) {
    return lines.stream().filter(each -> each.get("topic").asText().equals(topic)).count();
  }

  /** Produces all records; each gets the offset that it had. */
  public void produce(String servers, String registry) throws Exception {
    Map<Integer, Integer> ids = new HashMap<>();
    for (Map.Entry<Integer, Schema> each : schemas.entrySet()) {
      ids.put(each.getKey(), register(registry, each.getValue()));
    }
    List<JsonNode> ordered = new ArrayList<>(lines);
    ordered.sort(Comparator.comparingLong(each -> each.get("offset").asLong()));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "linger.ms", "20"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<RecordMetadata>> results = new ArrayList<>();
      for (JsonNode each : ordered) {
        int schemaId = each.get("schemaId").asInt();
        results.add(
            producer.send(
                new ProducerRecord<>(
                    each.get("topic").asText(),
                    each.get("partition").asInt(),
                    each.get("timestamp").asLong(),
                    null,
                    encoded(
                        ids.getOrDefault(schemaId, 0), schemas.get(schemaId), each.get("value")))));
      }
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get().offset()).isEqualTo(ordered.get(i).get("offset").asLong());
      }
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

  private static byte[] encoded(int id, @Nullable Schema schema, JsonNode value)
      throws IOException {
    if (schema == null) {
      throw new IOException("a line has an unknown schema");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(datum(schema, value), encoder);
    encoder.flush();
    return out.toByteArray();
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
