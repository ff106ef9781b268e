package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.object.CompiledDatums;
import io.tidemark.registry.ScriptedHost;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
      host.thenJson(200, "{\"schema\": \"" + schema.replace("'", "\\\"") + "\"}");
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
