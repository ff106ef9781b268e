package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.object.CompiledDatums;
import io.tidemark.registry.ScriptedHost;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The serializer and the deserializer are the same when they use generated classes. */
@Timeout(60)
final class GeneratedClassesTest {
  private static final String ID = "0000000007";

  /** More records than a class needs to be generated. */
  private static final int RECORDS = 40;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'string' | 0241 | feffffff0f | it declares 2147483647 bytes, but only 0 are left",
        "['null', 'bytes'] | 020241 | 0201 | it declares -1 bytes",
        "['null', 'bytes'] | 020241 | 04 | the index 2 is out of range of 2 types",
        "{'type':'enum','name':'E','symbols':['A']} | 00 | 02 | the index 1 is out of range",
        "'int' | 02 | 8080808020 | has more than 32 bits",
        "'double' | 0000000000000000 | 00 | it declares 8 bytes, but only 1 are left",
        "{'type':'array','items':'null'} | 0200 | feffffff0f00 | it declares more than ",
        "{'type':'array','items':'int'} | 020200 | 0110 | it declares a block of 8 bytes",
        "{'type':'map','values':'null'} | 02024100 | 02feffffff0f | it declares 2147483647 bytes",
        "'long' | 02 | 0202 | 1 bytes are left after the datum",
      })
  void hostileBytesAreRejectedInTheSameWords(
      String schema, String valid, String hostile, String problem) throws Exception {
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, document(schema));
      deserializer.configure(Map.of("schema.registry.url", host.url()), false);
      Object first = deserializer.deserialize("orders", bytes(valid));
      for (int i = 0; i < RECORDS; i++) {
        assertThat(deserializer.deserialize("orders", bytes(valid)))
            .isEqualTo(first)
            .hasSameClassAs(first);
        assertRejected(deserializer, hostile, problem);
      }
      awaitClasses();
      assertThat(deserializer.deserialize("orders", bytes(valid)))
          .isEqualTo(first)
          .hasSameClassAs(first);
      assertRejected(deserializer, hostile, problem);
    }
  }

  private static void assertRejected(
      AvroDeserializer deserializer, String hostile, String problem) {
    assertThatThrownBy(() -> deserializer.deserialize("orders", bytes(hostile)))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("topic orders: the value cannot be read: ")
        .hasMessageContaining(problem);
  }

  @Test
  void recordIsWrittenAsTheSameBytes() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                ("{'type':'record','name':'R','fields':[{'name':'text','type':'string'},"
                        + "{'name':'day','type':{'type':'int','logicalType':'date'}},"
                        + "{'name':'items','type':{'type':'array','items':'int'}}]}")
                    .replace('\'', '"'));
    GenericData.Record record = new GenericData.Record(schema);
    record.put("text", "aé");
    record.put("day", LocalDate.EPOCH.plusDays(3));
    record.put("items", List.of(1, -1));
    byte[] expected = bytes("06" + "61c3a9" + "06" + "04020100");
    GenericData.Record wrong = new GenericData.Record(schema);
    wrong.put("text", 7);
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 7}");
      serializer.configure(Map.of("schema.registry.url", host.url()), false);
      for (int i = 0; i <= RECORDS; i++) {
        if (i == RECORDS) {
          awaitClasses();
        }
        assertThat(serializer.serialize("orders", record)).isEqualTo(expected);
        assertThatThrownBy(() -> serializer.serialize("orders", wrong))
            .isInstanceOf(SerializationException.class)
            .hasMessageStartingWith("topic orders: a org.apache.avro.generic.GenericData$Record")
            .hasMessageContaining("text");
      }
    }
  }

  /**
   * Six bytes must not become a million records: their values, which have no bytes, are counted.
   */
  @Test
  void recordsWithoutBytesAreCountedByTheirValues() {
    String record =
        "{'type':'record','name':'R','fields':["
            + IntStream.range(0, 20)
                .mapToObj(i -> "{'name':'f" + i + "','type':'null'}")
                .collect(Collectors.joining(","))
            + "]}";
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, document("{'type':'array','items':" + record + "}"));
      deserializer.configure(Map.of("schema.registry.url", host.url()), false);
      assertRejected(deserializer, "80897a" + "00", "it declares more than ");
    }
  }

  /** Each record has ten fields of the next one: a walk over all paths would not end. */
  @Test
  void schemaThatUsesItsRecordsManyTimesIsReadAtOnce() {
    StringBuilder schema = new StringBuilder("'int'");
    for (int level = 12; level > 0; level--) {
      String first = schema.toString();
      schema = new StringBuilder("{'type':'record','name':'L" + level + "','fields':[");
      for (int field = 0; field < 10; field++) {
        String type = field == 0 ? first : level == 12 ? "'int'" : "'L" + (level + 1) + "'";
        schema.append(field == 0 ? "" : ",");
        schema.append("{'name':'f" + field + "','type':{'type':'array','items':" + type + "}}");
      }
      schema.append("]}");
    }
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, document(schema.toString()));
      deserializer.configure(Map.of("schema.registry.url", host.url()), false);
      assertThat(deserializer.deserialize("orders", bytes("00".repeat(10)))).isNotNull();
    }
  }

  @Test
  void largeValueDoesNotMakeTheNextOnesSlower() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 7}");
      serializer.configure(Map.of("schema.registry.url", host.url()), false);
      serializer.serialize("orders", "x".repeat(1 << 20));
      serializer.serialize("orders", "x");
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 100; i++) {
        serializer.serialize("orders", "x");
      }
      assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 100).isLessThan(20_000);
    }
  }

  @Test
  void threadsShareASerializer() throws Exception {
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 7}");
      serializer.configure(Map.of("schema.registry.url", host.url()), false);
      List<String> texts = IntStream.range(0, 100).mapToObj(i -> "x".repeat(i)).toList();
      List<byte[]> alone = texts.stream().map(text -> serializer.serialize("t", text)).toList();
      List<CompletableFuture<List<byte[]>>> together =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      CompletableFuture.supplyAsync(
                          () ->
                              IntStream.range(0, 2_000)
                                  .mapToObj(i -> serializer.serialize("t", texts.get(i % 100)))
                                  .toList(),
                          task -> new Thread(task).start()))
              .toList();
      for (CompletableFuture<List<byte[]>> values : together) {
        for (int i = 0; i < 2_000; i++) {
          assertThat(values.get().get(i)).isEqualTo(alone.get(i % 100));
        }
      }
    }
  }

  private static String document(String schema) {
    return "{\"schema\": \"" + schema.replace("'", "\\\"") + "\"}";
  }

  @Test
  void recordIsConvertedToTheNewestSchema() throws Exception {
    String record = "{'type':'record','name':'R','fields':[%s]}";
    Schema schema =
        new Schema.Parser()
            .parse(
                record
                    .formatted("{'name':'a','type':'string'},{'name':'n','type':'int'}")
                    .replace('\'', '"'));
    String newest =
        record.formatted("{'name':'n','type':'long'},{'name':'z','type':'int','default':9}");
    GenericData.Record value = new GenericData.Record(schema);
    value.put("a", "x");
    value.put("n", 5);
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(
          200,
          document(newest)
              .replaceFirst("^.", "{\"subject\":\"orders-value\",\"version\":2,\"id\":7,"));
      serializer.configure(
          Map.of(
              "schema.registry.url", host.url(),
              "auto.register.schemas", "false",
              "use.latest.version", "true"),
          false);
      for (int i = 0; i <= RECORDS; i++) {
        if (i == RECORDS) {
          awaitClasses();
        }
        assertThat(serializer.serialize("orders", value)).isEqualTo(bytes("0a12"));
      }
    }
  }

  /** Waits until all classes that were requested are generated. */
  private static void awaitClasses() throws InterruptedException {
    while (CompiledDatums.shared().statistics().waiting() > 0) {
      Thread.sleep(10);
    }
    assertThat(CompiledDatums.shared().statistics().compiled()).isPositive();
    assertThat(CompiledDatums.shared().statistics().interpreted()).isZero();
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(ID + hex);
  }
}
