package io.tidemark.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegisteredSchemaTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'enum','name':'..','symbols':['A']}",
        "{'type':'fixed','name':'..','size':1}",
        "{'type':'record','name':'R'}",
        "{'type':'array'}",
        "{'type':'fixed','name':'F','size':-1}",
        "['null','null']",
        "'unknown'",
        "{",
        ""
      })
  void whatAvrosParserStumblesOverIsRefusedInOneWay(String schema) {
    assertThatThrownBy(() -> RegisteredSchema.parse(schema.replace('\'', '"')))
        .isInstanceOf(SchemaParseException.class);
  }

  /** Otherwise, the registry would be asked again for each record of the schema. */
  @Test
  void errorOfALibraryIsRefusedAsAnUnusableSchemaToo() {
    for (Throwable thrown :
        List.of(
            new OutOfMemoryError("Requested array size exceeds VM limit"),
            new StackOverflowError(),
            new NoClassDefFoundError("Made"),
            new IllegalStateException("no such branch"))) {
      Schema.Parser parser =
          new Schema.Parser() {
            @Override
            public Schema parse(String text) {
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            }
          };
      assertThatThrownBy(() -> RegisteredSchema.parse(parser, "\"int\""))
          .isInstanceOf(SchemaParseException.class);
    }
  }

  @Test
  void namesAndDefaultsThatAvroWouldRefuseTodayAreTaken() {
    assertThat(
            RegisteredSchema.parse(
                    "{\"type\":\"record\",\"name\":\"old-record\",\"fields\":["
                        + "{\"name\":\"my-field\",\"type\":\"int\",\"default\":\"none\"}]}")
                .getField("my-field"))
        .isNotNull();
  }

  /** Avro's library would log a warning, which names neither the schema nor the field. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'bytes','logicalType':'decimal','precision':64,'scale':127}",
        "{'type':'bytes','logicalType':'decimal'}",
        "{'type':'fixed','name':'F','size':8,'logicalType':'decimal','precision':64}",
        "{'type':'string','logicalType':'timestamp-millis'}",
        "{'type':'array','items':'int','logicalType':'date'}",
      })
  void invalidLogicalTypeIsIgnoredWithoutAWarning(String type) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    Schema field;
    try {
      field =
          RegisteredSchema.parse(
                  "{'type':'record','name':'R','fields':[{'name':'f','type':['null',%s]}]}"
                      .formatted(type)
                      .replace('\'', '"'))
              .getField("f")
              .schema()
              .getTypes()
              .get(1);
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(UTF_8)).isEmpty();
    assertThat(field.getProp("logicalType")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'bytes','logicalType':'decimal','precision':64,'scale':2}",
        "{'type':'long','logicalType':'timestamp-millis'}",
        "{'type':'int','logicalType':'of-the-users'}",
      })
  void validAndUnknownLogicalTypesStay(String type) {
    assertThat(RegisteredSchema.parse(type.replace('\'', '"')).getProp("logicalType")).isNotNull();
  }

  /** Avro's parser would visit the records below each of them: that takes half a minute. */
  @Test
  void schemaWhoseRecordsContainEachOtherTooOftenIsNotParsed() {
    String within = records(8_000, number -> "\"n.N" + (number - 1) + "\"");

    assertThatThrownBy(() -> RegisteredSchema.parse(within))
        .isInstanceOf(SchemaParseException.class)
        .hasMessageContaining("visit more than 30000000 types");
  }

  /**
   * As generated from FHIR: a resource may contain any other, so each type reaches each. That is 23
   * million visits.
   */
  @Test
  void legalSchemaOf700RecordsThatReferToEachOtherIsParsed() {
    Random random = new Random(7);
    int types = 700;
    String resources =
        IntStream.range(0, types)
            .mapToObj(
                number ->
                    nullable("f" + number, "{\"type\":\"record\",\"name\":\"T%d\",\"fields\":[%s]}")
                        .formatted(
                            number,
                            IntStream.range(0, 15)
                                .mapToObj(
                                    field ->
                                        nullable(
                                            "g" + field,
                                            field == 0 || number == 0
                                                ? "\"Resource\""
                                                : "\"T" + random.nextInt(number) + "\""))
                                .collect(Collectors.joining(","))))
            .collect(Collectors.joining(","));

    Schema schema =
        RegisteredSchema.parse(
            "{\"type\":\"record\",\"name\":\"Resource\",\"namespace\":\"org.fhir\",\"fields\":["
                + resources
                + "]}");

    assertThat(schema.getFields()).hasSize(types);
  }

  private static String nullable(String name, String type) {
    return "{\"name\":\"%s\",\"type\":[\"null\",%s],\"default\":null}".formatted(name, type);
  }

  @Test
  void schemaOfManyRecordsSideBySideIsParsed() {
    String apart = records(5_000, number -> "{\"type\":\"array\",\"items\":\"int\"}");

    assertThat(apart).hasSizeGreaterThan(1 << 18);
    assertThat(RegisteredSchema.parse(apart).getFields()).hasSize(5_000);
  }

  /** A record with a field for each of these records, which have one field: the first an int. */
  private static String records(int count, IntFunction<String> type) {
    return IntStream.range(0, count)
        .mapToObj(
            number ->
                "{\"name\":\"f%d\",\"type\":{\"type\":\"record\",\"name\":\"N%d\",\"fields\":[{\"name\":\"g\",\"type\":%s}]}}"
                    .formatted(number, number, number == 0 ? "\"int\"" : type.apply(number)))
        .collect(
            Collectors.joining(
                ",", "{\"type\":\"record\",\"name\":\"R\",\"namespace\":\"n\",\"fields\":[", "]}"));
  }

  @Test
  void schemaThatWouldNeedTheHeapIsNotParsed() {
    int objects = Math.toIntExact(Runtime.getRuntime().maxMemory() / 4 / 160);
    String text = "{\"type\":\"int\",\"p\":[{}" + ",{}".repeat(objects) + "]}";
    assertThatThrownBy(() -> RegisteredSchema.parse(text))
        .isInstanceOf(SchemaParseException.class)
        .hasMessageContaining("a quarter of this JVM's heap");
  }

  /** A type, and an alias, have full names of their own: 8,000 of half a megabyte. */
  @ParameterizedTest
  @ValueSource(strings = {"types", "aliases", "references"})
  void schemaWhoseFullNamesWouldNeedTheHeapIsNotParsed(String what) {
    String record = "{\"type\":\"record\",\"name\":\"%s\",\"namespace\":\"%s\",%s\"fields\":[%s]}";
    String namespace = "n".repeat(1 << 19);
    String names = IntStream.range(0, 8_000).mapToObj(i -> "\"a" + i + "\"").collect(joining());
    String fields =
        IntStream.range(0, 8_000)
            .mapToObj(i -> field(i, what.equals("types") ? fixed(i) : "\"R\""))
            .collect(joining());
    String text =
        what.equals("aliases")
            ? record.formatted("R", namespace, "\"aliases\":[" + names + "],", "")
            : record.formatted("R", namespace, "", fields);

    assertThatThrownBy(() -> RegisteredSchema.parse(text))
        .isInstanceOf(SchemaParseException.class)
        .hasMessageContaining("its full names have more than 16777216 characters");
  }

  private static String field(int number, String type) {
    return "{\"name\":\"f%d\",\"type\":%s}".formatted(number, type);
  }

  private static String fixed(int number) {
    return "{\"type\":\"fixed\",\"name\":\"F%d\",\"size\":1}".formatted(number);
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(",");
  }
}
