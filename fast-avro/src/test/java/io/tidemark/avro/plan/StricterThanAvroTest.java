package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.object.CompiledDatums;
import io.tidemark.avro.object.FastDatumReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas that a plan refuses although Avro's library reads data of them, as the page says. */
final class StricterThanAvroTest {

  /** Avro's specification requires the name or an alias; its library reads by the fields. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%s | %s | 02",
        "{'type':'array','items':%s} | {'type':'array','items':%s} | 020200",
        "{'type':'record','name':'O','fields':[{'name':'f','type':%s}]} | {'type':'record','name':'O','fields':[{'name':'f','type':%s}]} | 02",
      })
  void recordOfAnotherNameIsRefusedByThePlanAndReadByTheReader(
      String writerText, String readerText, String bytes) throws IOException {
    Schema writer = parse(writerText.formatted(record("A")));
    Schema reader = parse(readerText.formatted(record("B")));
    byte[] datum = HexFormat.of().parseHex(bytes);

    assertThatThrownBy(() -> Planner.plan(writer, reader, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessageContaining("has another name than the reader's B");
    var fast =
        new FastDatumReader<Object>(
            writer,
            reader,
            new GenericData(),
            new CompiledDatums(Runnable::run, 8, CompilerOptions.NONE));
    Object avros = AvroLibrary.decode(writer, reader, datum, 0, datum.length);
    assertThat(fast.read(null, datum, 0, datum.length)).isEqualTo(avros);
    fast.compileNow();
    assertThat(fast.read(null, datum, 0, datum.length)).isEqualTo(avros);
  }

  @ParameterizedTest
  @CsvSource({"array,items", "map,values"})
  void collectionOfUnreadableItemsIsRefusedAlsoIfEmpty(String type, String member)
      throws IOException {
    String collection = "{'type':'%s','%s':'%s'}";
    Schema writer = parse(collection.formatted(type, member, "string"));
    Schema reader = parse(collection.formatted(type, member, "int"));

    assertThatThrownBy(() -> Planner.plan(writer, reader, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessageContaining("string cannot be read as int");
    assertThat(AvroLibrary.decode(writer, reader, new byte[] {0}, 0, 1)).isNotNull();
  }

  @Test
  void pageSaysBoth() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "FAST-AVRO.md"));

    assertThat(page)
        .contains("| a record with another name and no alias, in a union or elsewhere |")
        .contains("| an array or map whose items cannot be read, in a union or elsewhere |");
  }

  private static String record(String name) {
    return "{'type':'record','name':'" + name + "','fields':[{'name':'x','type':'int'}]}";
  }

  private static Schema parse(String text) {
    return new Schema.Parser().parse(text.replace('\'', '"'));
  }
}
