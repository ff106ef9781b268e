package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericData;
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

/** Serializer and deserializer with the registries that keep their schemas. */
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
      for (Object datum : List.of(new Utf8("a"), 1, 2L, 1.5f, 2.5, true)) {
        String name = "primitive-" + topic++;
        assertThat(deserializer.deserialize(name, serializer.serialize(name, datum)))
            .isEqualTo(datum);
      }
      assertThat(deserializer.deserialize("raw", serializer.serialize("raw", new byte[] {1, 2})))
          .isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
    }
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
          .hasMessageContaining("bytes are left behind the datum");
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
