package io.tidemark.avro.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.codegen.CompilerOptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Counts of arrays and maps that do not fit the bytes: no memory is allocated for them. {@link
 * LyingCountsTest} runs these tests in another JVM, with Avro's default limits.
 */
@Timeout(60)
final class LyingCounts {
  /** Runs all tests, prints the failures, and ends with the number of failures. */
  public static void main(String[] arguments) {
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(LyingCounts.class))
                .build(),
            summary);
    summary.getSummary().printFailuresTo(new PrintWriter(System.out, true, UTF_8));
    System.out.println(summary.getSummary().getTestsSucceededCount() + " tests succeeded");
    System.exit((int) summary.getSummary().getTotalFailureCount());
  }

  private final CompiledDatums classes = new CompiledDatums(Runnable::run, 8, CompilerOptions.NONE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'array','items':'int'} | 80808080080200",
        "{'type':'array','items':'int'} | 8080808008",
        "{'type':'array','items':'string'} | 80808080080200",
        "{'type':'array','items':{'type':'record','name':'R','fields':[{'name':'a','type':'long'}]}} | 80808080080200",
        "{'type':'array','items':{'type':'array','items':'double'}} | 0280808080080200",
        "{'type':'map','values':'int'} | 80808080080261",
        "{'type':'map','values':'null'} | 80808080080261",
      })
  void countBeyondTheBytesIsTheEndOfTheInput(String schema, String bytes) {
    byte[] datum = HexFormat.of().parseHex(bytes);
    for (FastDatumReader<Object> reader : readers(parse(schema))) {
      assertThatThrownBy(() -> reader.read(null, datum, 0, datum.length))
          .isInstanceOf(EOFException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'array','items':'null'} | 808080800800",
        "{'type':'array','items':{'type':'record','name':'R','fields':[]}} | 808080800800",
        "{'type':'array','items':{'type':'array','items':'null'}} | 0280808080080000",
      })
  void itemsWithoutBytesAreLimited(String schema, String bytes) {
    byte[] datum = HexFormat.of().parseHex(bytes);
    for (FastDatumReader<Object> reader : readers(parse(schema))) {
      assertThatThrownBy(() -> reader.read(null, datum, 0, datum.length))
          .isInstanceOf(AvroRuntimeException.class)
          .hasMessageContaining("1048576 items without bytes");
    }
  }

  /** Many small blocks of nulls, each of which is within the limit. */
  @Test
  void itemsWithoutBytesOfAllBlocksAreLimited() {
    byte[] datum = HexFormat.of().parseHex("8040".repeat(600) + "00"); // 4,096 nulls each
    for (FastDatumReader<Object> reader : readers(parse("{'type':'array','items':'null'}"))) {
      assertThatThrownBy(() -> reader.read(null, datum, 0, datum.length))
          .isInstanceOf(AvroRuntimeException.class);
    }
  }

  @Test
  void skippedItemsWithoutBytesAreLimited() {
    Schema writer =
        parse(
            "{'type':'record','name':'R','fields':[{'name':'a','type':{'type':'array','items':'null'}},{'name':'b','type':'int'}]}");
    Schema reader = parse("{'type':'record','name':'R','fields':[{'name':'b','type':'int'}]}");
    byte[] datum = HexFormat.of().parseHex("808080808080808040" + "0002");
    for (boolean compiled : new boolean[] {false, true}) {
      var fast = new FastDatumReader<Object>(writer, reader, new GenericData(), classes);
      if (compiled) {
        fast.compileNow();
      }
      assertThatThrownBy(() -> fast.read(null, datum, 0, datum.length))
          .isInstanceOf(AvroRuntimeException.class);
    }
  }

  /** Large arrays, also nested ones and ones of nulls, are read in parts. */
  @Test
  void largeArraysAreReadWhole() throws IOException {
    Schema schema = parse("{'type':'array','items':{'type':'array','items':['null','int']}}");
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      lists.add(i % 1_000 == 0 ? IntStream.range(0, 20_000).boxed().toList() : List.of(i));
    }
    check(schema, lists);
    check(parse("{'type':'array','items':'null'}"), Collections.nCopies(1_048_576, null));
    check(
        parse("{'type':'array','items':{'type':'array','items':'null'}}"),
        List.of(Collections.nCopies(9_000, null), List.of(), Collections.nCopies(9_000, null)));
  }

  private void check(Schema schema, Object value) throws IOException {
    byte[] datum = AvroLibrary.encode(schema, value);
    Object avros =
        new GenericDatumReader<>(schema).read(null, new SliceDecoder(datum, 0, datum.length));
    assertThat(avros).isEqualTo(AvroLibrary.decode(schema, schema, datum, 0, datum.length));
    for (FastDatumReader<Object> reader : readers(schema)) {
      assertThat(reader.read(null, datum, 0, datum.length)).isEqualTo(avros);
    }
  }

  /** Readers with Avro's fast and slower reader, before and after their class is generated. */
  private List<FastDatumReader<Object>> readers(Schema schema) {
    List<FastDatumReader<Object>> readers = new ArrayList<>();
    for (boolean fast : new boolean[] {false, true}) {
      for (boolean compiled : new boolean[] {false, true}) {
        var data = new GenericData();
        data.setFastReaderEnabled(fast);
        var reader = new FastDatumReader<Object>(schema, schema, data, classes);
        if (compiled) {
          reader.compileNow();
        }
        readers.add(reader);
      }
    }
    return readers;
  }

  private static Schema parse(String text) {
    return new Schema.Parser().parse(text.replace('\'', '"'));
  }
}
