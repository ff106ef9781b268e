package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.config.RegistrySubjects;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Serializer and deserializer with real registries. */
final class AvroSerdeIT {
  private static final GenericData.Record GENERIC = new GenericData.Record(Order.SCHEMA$);

  @TempDir static Path directory;
  private static LocalStack stack;

  static {
    GENERIC.put("item", new Utf8("pear"));
    GENERIC.put("count", 3L);
  }

  @BeforeAll
  static void start() {
    stack =
        LocalStack.builder()
            .directory(directory)
            .with(Service.REGISTRY, Service.SCHEMA_REPO)
            .start();
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "schema.id.placement=header",
        "value.subject.name.strategy=TopicRecordNameStrategy;normalize.schemas=true",
        "schema.registry.id.format=single-object;schema.registry.subjects=orders-value",
        "schema.registry.api=avro-1124",
        "schema.registry.api=avro-1124;schema.registry.id.format=subject-uint16-text",
        "schema.registry.api=avro-1124;schema.registry.id.format=subject-varint-text"
            + ";schema.registry.subject.template=${topic}-value",
        "schema.registry.api=avro-1124;schema.registry.id.format=single-object"
            + ";schema.registry.subjects=orders",
      })
  void recordIsReadBackInEveryFormat(String given) {
    Map<String, String> settings = settings(given);
    Headers headers = new RecordHeaders();
    byte[] value;
    try (AvroSerializer serializer = new AvroSerializer()) {
      serializer.configure(settings, false);
      value = serializer.serialize("orders", headers, GENERIC);
      assertThat(serializer.serialize("orders", new RecordHeaders(), new Order("pear", 3)))
          .isEqualTo(value);
      assertThat(serializer.serialize("orders", headers, null)).isNull();
    }
    try (AvroDeserializer generic = new AvroDeserializer();
        AvroDeserializer specific = new AvroDeserializer()) {
      generic.configure(settings, false);
      assertThat(generic.deserialize("orders", headers, value)).isEqualTo(GENERIC);
      assertThat(generic.deserialize("orders", headers, (byte[]) null)).isNull();
      settings.put("specific.avro.reader", "true");
      specific.configure(settings, false);
      assertThat(specific.deserialize("orders", headers, value))
          .isInstanceOf(Order.class)
          .isEqualTo(new Order("pear", 3));
    }
  }

  @Test
  void primitivesAreDatumsToo() {
    try (AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      Map<String, String> settings = settings("value.subject.name.strategy=TopicNameStrategy");
      serializer.configure(settings, true);
      deserializer.configure(settings, true);
      int topic = 0;
      for (Object datum : List.of("a", 1, 2L, 1.5f, 2.5, true)) {
        String name = "primitive-" + topic++;
        assertThat(deserializer.deserialize(name, serializer.serialize(name, datum)))
            .isEqualTo(datum);
      }
      assertThat(deserializer.deserialize("raw", serializer.serialize("raw", new byte[] {1, 2})))
          .isEqualTo(new byte[] {1, 2});
    }
  }

  @Test
  void objectsOfLogicalTypesAreWrittenAndReadBack() {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Payment", "fields": [
                  {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                  {"name": "paid", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
                  {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                  {"name": "id", "type": {"type": "string", "logicalType": "uuid"}}]}""");
    GenericData.Record objects = new GenericData.Record(schema);
    objects.put("amount", new BigDecimal("12.50"));
    objects.put("paid", Instant.ofEpochMilli(1_700_000_000_123L));
    objects.put("day", LocalDate.of(2024, 2, 29));
    objects.put("id", UUID.fromString("7d444840-9dc0-11d1-b245-5ffdce74fad2"));
    GenericData.Record plain = new GenericData.Record(schema);
    plain.put("amount", ByteBuffer.wrap(new byte[] {4, (byte) 0xe2}));
    plain.put("paid", 1_700_000_000_123L);
    plain.put("day", (int) LocalDate.of(2024, 2, 29).toEpochDay());
    plain.put("id", new Utf8("7d444840-9dc0-11d1-b245-5ffdce74fad2"));
    try (AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer asObjects = new AvroDeserializer();
        AvroDeserializer asBytes = new AvroDeserializer()) {
      serializer.configure(settings(""), false);
      asObjects.configure(settings("avro.use.logical.type.converters=true"), false);
      asBytes.configure(settings(""), false);
      byte[] value = serializer.serialize("payments", objects);

      assertThat(serializer.serialize("payments", plain)).isEqualTo(value);
      GenericRecord read =
          (GenericRecord) Objects.requireNonNull(asObjects.deserialize("payments", value));
      for (Schema.Field field : schema.getFields()) {
        assertThat(read.get(field.pos())).isEqualTo(objects.get(field.pos()));
      }
      assertThat(asBytes.deserialize("payments", value)).isEqualTo(plain);
      objects.put("amount", new BigDecimal("12.505"));
      assertThatThrownBy(() -> serializer.serialize("payments", objects))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("scale");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "schema.registry.api=avro-1124"})
  void newestSchemaOfTheSubjectIsWritten(String given) {
    Schema older = parse("{'name':'item','type':'string'},{'name':'note','type':'string'}");
    Schema newest =
        parse("{'name':'count','type':'long','default':7},{'name':'item','type':'string'}");
    GenericData.Record value = new GenericData.Record(older);
    value.put("item", "pear");
    value.put("note", "ripe");
    String topic = "newest" + given.length();
    try (AvroSerializer registering = new AvroSerializer();
        AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      registering.configure(settings(given), false);
      registering.serialize(topic, value);
      GenericData.Record newer = new GenericData.Record(newest);
      newer.put("item", "pear");
      newer.put("count", 7L);
      byte[] written = registering.serialize(topic, newer);

      serializer.configure(
          settings("auto.register.schemas=false;use.latest.version=true;" + given), false);
      deserializer.configure(settings(given), false);
      assertThat(serializer.serialize(topic, value)).isEqualTo(written);
      assertThat(serializer.serialize(topic, newer)).isEqualTo(written);
      assertThat(deserializer.deserialize(topic, written)).hasToString(newer.toString());
    }
  }

  @Test
  void valueThatTheNewestSchemaCannotTakeIsTold() {
    Schema newest =
        parse(
            "{'name':'amount','type':{'type':'bytes','logicalType':'decimal','precision':9,'scale':3}}");
    GenericData.Record registered = new GenericData.Record(newest);
    registered.put("amount", new BigDecimal("1.500"));
    GenericData.Record lacking = new GenericData.Record(parse("{'name':'item','type':'string'}"));
    lacking.put("item", "pear");
    GenericData.Record scaled =
        new GenericData.Record(
            parse(
                "{'name':'amount','type':['null',{'type':'bytes','logicalType':'decimal','precision':9,'scale':2}]}"));
    scaled.put("amount", new BigDecimal("1.50"));
    try (AvroSerializer registering = new AvroSerializer();
        AvroSerializer serializer = new AvroSerializer()) {
      registering.configure(settings(""), false);
      registering.serialize("misfits", registered);
      serializer.configure(settings("auto.register.schemas=false;use.latest.version=true"), false);
      assertThatThrownBy(() -> serializer.serialize("misfits", lacking))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("does not resolve to the newest schema of its subject")
          .hasMessageContaining("amount");
      assertThatThrownBy(() -> serializer.serialize("misfits", scaled))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("Purchase.amount is ")
          .hasMessageContaining("\"scale\":2");
    }
  }

  /** The logical type decides the branch of a union, and a record may have another name. */
  @Test
  void logicalTypesAreComparedThroughUnionsAndAliases() {
    refusedAsNewest(
        "promoted",
        "{'name':'at','type':['null',{'type':'int','logicalType':'date'}]}",
        "{'name':'at','type':['null',{'type':'long','logicalType':'timestamp-millis'}]}",
        "Purchase.at is ");
    String price =
        "{'name':'price','type':['null',{'type':'record','name':'%s','fields':["
            + "{'name':'amount','type':{'type':'bytes','logicalType':'decimal','precision':9,'scale':%d}}]%s}]}";
    refusedAsNewest(
        "renamed",
        price.formatted("Price", 2, ""),
        price.formatted("Money", 3, ",'aliases':['Price']"),
        "Money.amount is ");
  }

  private static void refusedAsNewest(String topic, String own, String newest, String problem) {
    GenericData.Record value = new GenericData.Record(parse(own));
    try (AvroSerializer serializer = new AvroSerializer();
        RegistrySubjects registry =
            RegistryConfig.parse(settings("schema.registry.cache.size=10")).openSubjects(false)) {
      registry.subjects().register(topic + "-value", parse(newest));
      serializer.configure(settings("auto.register.schemas=false;use.latest.version=true"), false);
      assertThatThrownBy(() -> serializer.serialize(topic, value))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("does not resolve to the newest schema of its subject")
          .hasMessageContaining(problem);
    } catch (RegistryException | InterruptedException e) {
      throw new IllegalStateException(topic, e);
    }
  }

  private static Schema parse(String fields) {
    return new Schema.Parser()
        .parse(
            "{'type':'record','name':'Purchase','fields':[%s]}"
                .formatted(fields)
                .replace('\'', '"'));
  }

  @Test
  void schemaThatIsNotRegisteredIsRefusedWithoutRegistration() {
    try (AvroSerializer serializer = new AvroSerializer()) {
      serializer.configure(settings("auto.register.schemas=false"), false);
      assertThatThrownBy(() -> serializer.serialize("unregistered", GENERIC))
          .isInstanceOf(SerializationException.class)
          .hasMessageStartingWith(
              "topic unregistered: a org.apache.avro.generic.GenericData$Record");
    }
  }

  @Test
  void bytesBehindTheDatumAndUnknownIdsAreTold() {
    try (AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      serializer.configure(settings(""), false);
      deserializer.configure(settings(""), false);
      byte[] value = Objects.requireNonNull(serializer.serialize("tail", GENERIC));
      byte[] longer = Arrays.copyOf(value, value.length + 1);
      byte[] shorter = Arrays.copyOf(value, value.length - 1);
      assertThatThrownBy(() -> deserializer.deserialize("tail", longer))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("bytes are left after the datum");
      for (byte[] bad : List.of(shorter, new byte[] {0, 127, 0, 0, 1, 0}, new byte[] {'{', '}'})) {
        assertThatThrownBy(() -> deserializer.deserialize("tail", bad))
            .isInstanceOf(SerializationException.class)
            .hasMessageStartingWith("topic tail: the value cannot be read: ");
      }
    }
  }

  private static Map<String, String> settings(String given) {
    Map<String, String> settings = new HashMap<>();
    for (String setting : given.split(";", -1)) {
      int equals = setting.indexOf('=');
      if (equals > 0) {
        settings.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    settings.put(
        "schema.registry.url",
        settings.containsKey("schema.registry.api")
            ? stack.schemaRepo().url()
            : stack.registry().url());
    return settings;
  }
}
