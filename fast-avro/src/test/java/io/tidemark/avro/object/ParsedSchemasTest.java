package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompilerOptions;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas that a program parses for each record, and schemas that it drops. */
@Timeout(120)
final class ParsedSchemasTest {
  private static final Executor HERE = Runnable::run;
  private static final String QUOTE =
      "{'type':'record','name':'Quote','doc':'d','aliases':['Old'],'p':'q','fields':["
          + "{'name':'symbol','type':'string','doc':'d','aliases':['old']},"
          + "{'name':'side','type':{'type':'enum','name':'Side','symbols':['BUY','SELL'],'default':'BUY'}},"
          + "{'name':'size','type':'int','default':7}]}";
  private static final byte[] DATUM = {2, 'S', 2, 6};

  private final GenericData data = new GenericData();

  @Test
  void schemaThatIsParsedForEachRecordGetsOneClass() throws IOException {
    var classes = new CompiledDatums(HERE, 8, CompilerOptions.NONE);
    for (int i = 0; i < 100; i++) {
      assertThat(read(parse(QUOTE), parse(QUOTE), classes))
          .hasToString("{\"symbol\": \"S\", \"side\": \"SELL\", \"size\": 3}");
    }
    assertThat(classes.statistics().compiled()).isEqualTo(1);
    GenericRecord quote =
        new GenericRecordBuilder(parse(QUOTE))
            .set("symbol", "S")
            .set("side", new GenericData.EnumSymbol(parse(QUOTE), "SELL"))
            .set("size", 3)
            .build();
    for (int i = 0; i < 100; i++) {
      var writer = new FastDatumWriter<GenericRecord>(parse(QUOTE), data, classes);
      var out = new java.io.ByteArrayOutputStream();
      var encoder = org.apache.avro.io.EncoderFactory.get().binaryEncoder(out, null);
      writer.write(quote, encoder);
      encoder.flush();
      assertThat(out.toByteArray()).isEqualTo(DATUM);
    }
    assertThat(classes.statistics().compiled()).isEqualTo(2);
  }

  /** Each part of the text makes another schema, also if Avro's {@code equals} ignores it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'name':'Quote','doc':'d' | 'name':'Quote','doc':'other'",
        "'aliases':['Old'] | 'aliases':['Other']",
        "'p':'q' | 'p':'other'",
        "'string','doc':'d' | 'string','doc':'other'",
        "'aliases':['old'] | 'aliases':['other']",
        "'default':'BUY' | 'default':'SELL'",
        "'default':7 | 'default':8",
        "'type':'string' | 'type':{'type':'string','avro.java.string':'String'}",
      })
  void schemasOfOtherTextAreNotMixed(String part, String other) throws IOException {
    String changed = QUOTE.replace(part, other);
    assertThat(changed).isNotEqualTo(QUOTE);
    var classes = new CompiledDatums(HERE, 8, CompilerOptions.NONE);
    for (int i = 0; i < 50; i++) {
      for (String text : List.of(QUOTE, changed)) {
        assertThat(read(parse(text), parse(text), classes).getSchema().toString())
            .isEqualTo(parse(text).toString());
      }
    }
    assertThat(classes.statistics().compiled()).isEqualTo(2);
  }

  @Test
  void recursiveSchemaIsFoundAgain() throws IOException {
    String list =
        "{'type':'record','name':'L','fields':[{'name':'v','type':'int'},{'name':'n','type':['null','L']}]}";
    var classes = new CompiledDatums(HERE, 8, CompilerOptions.NONE);
    for (int i = 0; i < 50; i++) {
      Schema schema = parse(list);
      byte[] datum = {2, 2, 4, 0};
      assertThat(
              new FastDatumReader<GenericRecord>(schema, schema, data, classes)
                  .read(null, datum, 0, datum.length))
          .hasToString("{\"v\": 1, \"n\": {\"v\": 2, \"n\": null}}");
    }
    assertThat(classes.statistics().compiled()).isEqualTo(1);
  }

  @Test
  void schemaOfAReaderThatIsDroppedIsNotKeptWithoutAClass() throws Exception {
    data.setFastReaderEnabled(false); // Avro's fast reader keeps all schemas.
    var classes = new CompiledDatums(HERE, 1024, CompilerOptions.NONE);
    List<WeakReference<Schema>> schemas = new ArrayList<>();
    var reading =
        new Thread(
            () -> {
              for (int i = 0; i < 200; i++) {
                Schema schema = wide("Wide" + i, 50);
                schemas.add(new WeakReference<>(schema));
                byte[] datum = new byte[50];
                readOnce(schema, datum, classes);
              }
            });
    reading.start();
    reading.join();
    for (int i = 0; i < 50 && living(schemas) > 0; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(living(schemas)).isZero();
  }

  private static long living(List<WeakReference<Schema>> schemas) {
    return schemas.stream().filter(schema -> schema.get() != null).count();
  }

  private void readOnce(Schema schema, byte[] datum, CompiledDatums classes) {
    try {
      new FastDatumReader<GenericRecord>(schema, schema, data, classes)
          .read(null, datum, 0, datum.length);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void classesOfLargeSchemasAreRemovedByTheirWeight() {
    var classes = new CompiledDatums(HERE, 1024, CompilerOptions.NONE, 300_000);
    List<Schema> schemas = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      schemas.add(wide("Wide" + i, 100));
      new FastDatumReader<>(schemas.get(i), schemas.get(i), data, classes).compileNow();
    }
    long compiled = classes.statistics().compiled();
    new FastDatumReader<>(schemas.get(19), schemas.get(19), data, classes).compileNow();
    assertThat(classes.statistics().compiled()).isEqualTo(compiled);
    new FastDatumReader<>(schemas.get(0), schemas.get(0), data, classes).compileNow();
    assertThat(classes.statistics().compiled()).isEqualTo(compiled + 1);
  }

  @Test
  void programThatParsesForEachRecordIsWarnedOnce() throws IOException {
    List<String> warnings = new ArrayList<>();
    Logger logger = Logger.getLogger(CompiledDatums.class.getName());
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            warnings.add(MessageFormat.format(record.getMessage(), record.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      var classes = new CompiledDatums(HERE, 8, CompilerOptions.NONE);
      for (int i = 0; i < 3_000; i++) {
        Schema schema = parse(QUOTE);
        read(schema, schema, classes);
      }
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains("Quote").contains("Parse a schema once");
  }

  private GenericRecord read(Schema writer, Schema reader, CompiledDatums classes)
      throws IOException {
    return new FastDatumReader<GenericRecord>(writer, reader, data, classes)
        .read(null, DATUM, 0, DATUM.length);
  }

  private static Schema wide(String name, int fields) {
    var wide = SchemaBuilder.record(name).fields();
    for (int i = 0; i < fields; i++) {
      wide.name("field" + i).doc("a field of a wide record").type().intType().noDefault();
    }
    return wide.endRecord();
  }

  private static Schema parse(String text) {
    return new Schema.Parser().parse(text.replace('\'', '"'));
  }
}
