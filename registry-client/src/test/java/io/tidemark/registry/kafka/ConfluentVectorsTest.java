package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Conversion;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.Utf8;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes, classes and headers of Confluent's serializer and deserializer. The vectors were written
 * by hand from its public source (confluentinc/schema-registry, commit 794611bd): Confluent's jar
 * is not on Maven Central, so it does not run here.
 */
@Timeout(20)
final class ConfluentVectorsTest {
  private static final String BYTES = "\"bytes\"";

  /** The id 1 before each datum. */
  private static final String ID = "0000000001";

  @Test
  void topLevelBytesAreWrittenWithoutAvrosLength() {
    for (Object value : List.of(new byte[] {4, 9, 8}, ByteBuffer.wrap(new byte[] {4, 9, 8}))) {
      assertThat(hex(serialize(value, Map.of()))).isEqualTo(ID + "040908");
    }
    assertThat(hex(serialize(new byte[0], Map.of()))).isEqualTo(ID);
    ByteBuffer part = ByteBuffer.wrap(new byte[] {7, 4, 9, 8, 7}, 1, 3);
    assertThat(hex(serialize(part, Map.of()))).isEqualTo(ID + "040908");
    assertThat(part.remaining()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"040908", "010203", "''", "ff"})
  void topLevelBytesAreReadWithoutAvrosLength(String bytes) {
    assertThat(deserialize(BYTES, bytes, Map.of()))
        .isInstanceOf(byte[].class)
        .isEqualTo(HexFormat.of().parseHex(bytes));
    String decimal = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}";
    assertThat(deserialize(decimal, bytes, Map.of("avro.use.logical.type.converters", "true")))
        .isEqualTo(HexFormat.of().parseHex(bytes));
  }

  @Test
  void topLevelBytesHaveAvrosLengthBySetting() {
    Map<String, String> avro = Map.of("top.level.bytes", "avro");
    assertThat(hex(serialize(new byte[] {4, 9, 8}, avro))).isEqualTo(ID + "06040908");
    assertThat(deserialize(BYTES, "06040908", avro)).isEqualTo(new byte[] {4, 9, 8});
    assertThatThrownBy(() -> deserialize(BYTES, "040908aa", avro))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("1 bytes are left after the datum");
  }

  /** A union, a field or an item of bytes is Avro's, as Confluent writes it. */
  @Test
  void bytesWithinADatumHaveAvrosLength() {
    assertThat(deserialize("[\"null\",\"bytes\"]", "0206040908", Map.of()))
        .isEqualTo(ByteBuffer.wrap(new byte[] {4, 9, 8}));
    assertThat(serialize(Map.of("a", ByteBuffer.wrap(new byte[] {4})), Map.of()))
        .isEqualTo(HexFormat.of().parseHex(ID + "02" + "0261" + "0204" + "00"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"string\"",
        "{\"type\":\"string\",\"avro.java.string\":\"String\"}",
        "{\"type\":\"string\",\"logicalType\":\"uuid\"}"
      })
  void topLevelStringIsAString(String schema) {
    String text = "7d444840-9dc0-11d1-b245-5ffdce74fad2";
    String hex = "48" + hex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    for (String converters : List.of("false", "true")) {
      assertThat(deserialize(schema, hex, Map.of("avro.use.logical.type.converters", converters)))
          .isInstanceOf(String.class)
          .isEqualTo(text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true | 01",
        "int | 54",
        "long | 54",
        "float | 0000c03f",
        "double | 000000000000f83f",
        "text | 0278",
        "utf8 | 0278",
        "record | 0278020a",
        "empty map | 00",
      })
  void valuesAreWrittenAsByConfluentsSerializer(String value, String bytes) {
    assertThat(hex(serialize(value(value), Map.of()))).isEqualTo(ID + bytes);
  }

  private static Object value(String name) {
    return switch (name) {
      case "true" -> true;
      case "int" -> 42;
      case "long" -> 42L;
      case "float" -> 1.5f;
      case "double" -> 1.5;
      case "text" -> "x";
      case "utf8" -> new Utf8("x");
      case "empty map" -> Map.of();
      default -> {
        GenericData.Record order = new GenericData.Record(ORDER);
        order.put("a", "x");
        order.put("n", 5);
        yield order;
      }
    };
  }

  static final Schema ORDER =
      new Schema.Parser()
          .parse(
              "{\"type\":\"record\",\"name\":\"O\",\"fields\":[{\"name\":\"a\",\"type\":\"string\"},"
                  + "{\"name\":\"n\",\"type\":[\"null\",\"int\"],\"default\":null}]}");

  private static final String GUID = "89791762-2336-40d8-9d1e-8c8f4b5e2ea7";

  @ParameterizedTest
  @CsvSource({
    "io.confluent.kafka.serializers.schema.id.HeaderSchemaIdSerializer",
    "HeaderSchemaIdSerializer"
  })
  void headerHasTheGuidOfTheRegistry(String serializerClass) {
    RecordHeaders headers = new RecordHeaders();
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 1, \"guid\": \"" + GUID + "\"}");
      serializer.configure(
          settings(host, Map.of("value.schema.id.serializer", serializerClass)), false);
      assertThat(hex(serializer.serialize("orders", headers, value("record"))))
          .isEqualTo("0278020a");
      assertThat(hex(serializer.serialize("orders", headers, value("record"))))
          .isEqualTo("0278020a");
    }
    assertThat(headers.toArray()).hasSize(1);
    assertThat(headers.lastHeader("__value_schema_id").value())
        .isEqualTo(HexFormat.of().parseHex("01" + GUID.replace("-", "")));
  }

  @Test
  void headerOfARegistryWithoutGuidsIsRefused() {
    assertThatThrownBy(
            () -> serialize("x", Map.of("value.schema.id.serializer", "HeaderSchemaIdSerializer")))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("the registry returns no GUID")
        .hasMessageContaining("schema.id.placement=header");
  }

  @Test
  void javaPropertiesAreRemovedFromTheRegisteredSchema() {
    Schema given =
        new Schema.Parser().parse(ORDER.toString().replace("\"string\"", STRING_OF_JAVA));
    GenericData.Record order = new GenericData.Record(given);
    order.put("a", "x");
    order.put("n", 5);
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 1}");
      serializer.configure(settings(host, Map.of("avro.remove.java.properties", "TRUE")), false);
      for (int i = 0; i < 3; i++) {
        assertThat(hex(serializer.serialize("orders", order))).isEqualTo(ID + "0278020a");
      }
      assertThat(host.bodies()).hasSize(1);
      assertThat(host.bodies().get(0)).doesNotContain("avro.java.string");
    }
  }

  /** As from Avro's default reader, whose arrays of numbers accept null and any object. */
  @ParameterizedTest
  @ValueSource(strings = {"int", "long", "float", "double", "boolean"})
  void arrayOfNumbersIsAGenericDataArray(String item) {
    String schema =
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"f\",\"type\":"
            + "{\"type\":\"array\",\"items\":\"%s\"}}]}".formatted(item);
    assertThat(deserialize(schema, "00", Map.of()))
        .isInstanceOfSatisfying(
            GenericData.Record.class,
            read -> assertThat(read.get("f")).isExactlyInstanceOf(GenericData.Array.class));
  }

  /** Confluent's deserializer and serializer use the conversions of GenericData.get(). */
  @Test
  void conversionsOfTheProgramAreUsed() {
    Money.register();
    String record =
        "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"price\",\"type\":%s}]}";
    String price = "{\"type\":\"long\",\"logicalType\":\"test-money\"}";
    Schema schema = new Schema.Parser().parse(record.formatted(price));
    assertThat(deserialize(schema.toString(), "0a", Map.of()))
        .isInstanceOfSatisfying(
            GenericData.Record.class,
            read -> assertThat(read.get("price")).isEqualTo(new Money(5)));
    GenericData.Record written = new GenericData.Record(schema);
    written.put("price", new Money(5));
    assertThat(hex(serialize(written, Map.of()))).isEqualTo(ID + "0a");
  }

  record Money(long cents) {
    static void register() {
      LogicalTypes.register("test-money", schema -> new LogicalType("test-money"));
      GenericData.get()
          .addLogicalTypeConversion(
              new Conversion<Money>() {
                @Override
                public Class<Money> getConvertedType() {
                  return Money.class;
                }

                @Override
                public String getLogicalTypeName() {
                  return "test-money";
                }

                @Override
                public Money fromLong(Long cents, Schema schema, LogicalType type) {
                  return new Money(cents);
                }

                @Override
                public Long toLong(Money money, Schema schema, LogicalType type) {
                  return money.cents();
                }
              });
    }
  }

  private static final String STRING_OF_JAVA =
      "{\"type\":\"string\",\"avro.java.string\":\"String\"}";

  private static byte @Nullable [] serialize(Object value, Map<String, String> given) {
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 1}");
      serializer.configure(settings(host, given), false);
      return serializer.serialize("orders", new RecordHeaders(), value);
    }
  }

  private static @Nullable Object deserialize(
      String schema, String bytes, Map<String, String> given) {
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, "{\"schema\": \"" + schema.replace("\"", "\\\"") + "\"}");
      deserializer.configure(settings(host, given), false);
      return deserializer.deserialize("orders", HexFormat.of().parseHex(ID + bytes));
    }
  }

  private static Map<String, String> settings(ScriptedHost host, Map<String, String> given) {
    Map<String, String> settings = new HashMap<>(given);
    settings.put("schema.registry.url", host.url());
    return settings;
  }

  private static @Nullable String hex(byte @Nullable [] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }
}
