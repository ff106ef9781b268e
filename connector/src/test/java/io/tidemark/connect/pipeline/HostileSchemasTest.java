package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Harmful schemas in a registry. Each of them lands, or stops its task before a commit, with a
 * record's place and the cure. Every file is inside of the table.
 */
@Timeout(60)
final class HostileSchemasTest {
  private static final StoragePath LOG = new StoragePath("/logs/quotes/quotes/0");
  private static final int LONGEST_MESSAGE = 4_000;

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();

  static Stream<Arguments> refused() {
    return Stream.of(
        refused("no record", "\"string\"", "rows are records", "Send records"),
        refused("path as a name", field("../../etc/passwd", "\"int\""), "../../etc/passwd", "name"),
        refused("SQL as a name", field("x'; DROP TABLE t; --", "\"int\""), "DROP TABLE", "name"),
        refused("HTML as a name", field("<script>", "\"int\""), "<script>", "name"),
        refused("emoji as a name", field("😀", "\"int\""), "😀", "name"),
        refused("no name", field("", "\"int\""), "name"),
        refused("huge name", field("n".repeat(100_000), "\"int\""), "100000 characters", "shorter"),
        refused(
            "huge name of a type",
            field("f", fixed("n".repeat(100_000))),
            "100000 characters",
            "shorter"),
        refused(
            "default of another type",
            record("{\"name\":\"f\",\"type\":\"int\",\"default\":\"none\"}"),
            "default",
            "Correct the schema"),
        refused(
            "default that is no symbol",
            record(
                "{\"name\":\"f\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"]},\"default\":\"B\"}"),
            "default of f",
            "Correct the schema"),
        refused(
            "default that holds itself",
            record("{\"name\":\"f\",\"type\":\"R\",\"default\":{}}"),
            "default of f",
            "contains itself",
            "Correct the schema"),
        refused(
            "defaults that hold each other twice",
            record(
                "{\"name\":\"f\",\"type\":{\"type\":\"record\",\"name\":\"N\",\"fields\":["
                    + part("a", "[\"N\",\"null\"],\"default\":{}")
                    + ","
                    + part("b", "[\"N\",\"null\"],\"default\":{}")
                    + "]}}"),
            "default of a",
            "contains itself",
            "Correct the schema"),
        refused(
            "default that Avro validates in 2^40 steps",
            record(
                part("f", manyWays("A", manyWays("B", "\"B\""))),
                part(
                    "g",
                    "\"A\",\"default\":" + "{\"f\":".repeat(40) + "{\"k\":1.5}" + "}".repeat(40))),
            "default of g",
            "1000000 steps",
            "Correct the schema"),
        refused(
            "default of many megabytes",
            record(
                "{\"name\":\"f\",\"type\":{\"type\":\"array\",\"items\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":60000}},\"default\":["
                    + "\"\",".repeat(300)
                    + "\"\"]}"),
            "default of f",
            "16777216 bytes",
            "Correct the schema"),
        refused(
            "names in two cases", record(part("id", "\"int\""), part("ID", "\"int\"")), "Rename"),
        refused("record in itself", field("f", "[\"null\",\"R\"]"), "recursively"),
        refused(
            "type that is too long for Hive",
            field("f", tenTimes("{\"type\":\"record\",\"name\":\"N\"," + longNames(200) + "}")),
            "more than 1048576 characters",
            "smaller"),
        refused("arrays in arrays", field("f", nested(900)), "nested deeper than 200", "Flatten"),
        refused("records in records, by name", chain(1_500, 1), "nested deeper than 200"),
        refused("many aliases in many places", aliases(1_000, 200), "more than 100000 types"),
        refused("small schema of 2^60 fields", chain(60, 2), "more than 100000 types", "smaller"),
        refused("sixty thousand fields", wide(60_000), "50000 fields", "smaller"),
        refused(
            "text of more than a megabyte",
            "{\"type\":\"record\",\"name\":\"R\",\"doc\":\"%s\",\"fields\":[%s]}"
                .formatted("d".repeat(1 << 20), part("f", "\"int\"")),
            "bytes of text",
            "the maximum is 1048576",
            "schema.max"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void stopsTheTaskWithPlaceAndCureAndCommitsNothing(String schema, String[] said)
      throws Exception {
    try (TestTask task = task(schema)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith("quotes-0@0: ")
          .hasMessageContainingAll(said)
          .satisfies(
              stop ->
                  assertThat(stop.getMessage())
                      .hasSizeLessThan(LONGEST_MESSAGE)
                      .doesNotContainPattern("[.]{2} [A-Z]"));
    }
    assertThat(LandedRows.batches(storage, LOG)).isEmpty();
    nothingLiesOutsideOfTheTable();
  }

  static Stream<Arguments> landed() {
    return Stream.of(
        landed("ten thousand fields", wide(10_000)),
        landed("a name of 300 characters", field("n".repeat(300), "\"null\"")),
        landed("arrays in arrays that are not too deep", field("f", nested(150))),
        landed(
            "a default of a Java class's text",
            record(
                "{\"name\":\"f\",\"type\":{\"type\":\"string\",\"java-class\":\"java.math.BigDecimal\"},\"default\":\"1.5\"}")),
        landed(
            "a default of a union's second type",
            record(
                "{\"name\":\"f\",\"type\":[\"null\",{\"type\":\"array\",\"items\":\"int\"}],\"default\":[]}")),
        landed(
            "a default that lacks a field",
            record(
                "{\"name\":\"f\",\"type\":{\"type\":\"record\",\"name\":\"N\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]},\"default\":{}}")),
        landed(
            "a default null of a union that begins with a record",
            record(
                "{\"name\":\"f\",\"type\":[{\"type\":\"record\",\"name\":\"N\",\"fields\":[{\"name\":\"x\",\"type\":\"null\"}]},\"null\"],\"default\":null}")),
        landed("many aliases", aliases(1, 50_000)),
        landed("null", field("f", "\"null\"")));
  }

  @ParameterizedTest
  @MethodSource("landed")
  void landsWhatIsOnlyUnusual(String schema) throws Exception {
    lands(schema);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"select", "TABLE", "date", "timestamp", "order", "user", "partition", "_c0"})
  void reservedWordsOfHiveAreColumns(String name) throws Exception {
    lands(field(name, "\"int\""));
  }

  /** The text has half a megabyte. The paths of its fields would have 1.3 GB. */
  @Test
  void longPathsOfManyFieldsNeedNoHeap() throws Exception {
    Schema writer = RegisteredSchema.parse(longPaths(190, 10_000));
    lands(task(writer, 10_000));
  }

  private void lands(String schema) throws Exception {
    lands(task(schema));
  }

  private void lands(TestTask landing) throws Exception {
    try (TestTask task = landing) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(LandedRows.batches(storage, LOG))
        .extracting(CommitEntry.Batch::counts)
        .containsExactly(new RecordCounts(1, 0, 0, 0, 0));
    nothingLiesOutsideOfTheTable();
  }

  private void nothingLiesOutsideOfTheTable() throws Exception {
    assertThat(StoredTree.files(storage))
        .allMatch(path -> path.startsWith("/topics/quotes/") || path.startsWith("/logs/quotes/"));
  }

  /** A task for one record that consists of zeros: the smallest value of each type. */
  private TestTask task(String schema) {
    Schema writer = RegisteredSchema.parse(schema);
    return task(writer, leastBytes(writer));
  }

  private TestTask task(Schema writer, int datumBytes) {
    topic.produce(0, new byte[5 + datumBytes]);
    return new TestTask(
        topic, storage, new Registry(writer), PartitionSpec.NONE, Optional.empty(), 1_000, 100);
  }

  private static int leastBytes(Schema writer) {
    return writer.getType() != Schema.Type.RECORD
        ? 0
        : (int)
            writer.getFields().stream()
                .filter(field -> field.schema().getType() != Schema.Type.NULL)
                .count();
  }

  private static Arguments refused(String what, String schema, String... said) {
    return arguments(Named.of(what, schema), Named.of(String.join(", ", said), said));
  }

  private static Arguments landed(String what, String schema) {
    return arguments(Named.of(what, schema));
  }

  private static String record(String... fields) {
    return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}";
  }

  private static String part(String name, String type) {
    return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
  }

  private static String field(String name, String type) {
    return record(part(name, type));
  }

  /** A record whose field f has several branches that a default of nested objects could be. */
  private static String manyWays(String name, String last) {
    return "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[%s,%s]}"
        .formatted(
            name,
            part("k", "\"int\",\"default\":0"),
            part("f", "[\"null\",\"A\"," + last + "],\"default\":null"));
  }

  private static String fixed(String name) {
    return "{\"type\":\"fixed\",\"name\":\"" + name + "\",\"size\":1}";
  }

  private static String nested(int arrays) {
    return "{\"type\":\"array\",\"items\":".repeat(arrays) + "\"int\"" + "}".repeat(arrays);
  }

  private static String wide(int fields) {
    return record(
        IntStream.range(0, fields).mapToObj(i -> part("f" + i, "\"int\"")).toArray(String[]::new));
  }

  /** Records in each other, with long names, around one with many fields. */
  private static String longPaths(int depth, int fields) {
    String schema = wide(fields);
    for (int i = 0; i < depth; i++) {
      schema =
          "{\"type\":\"record\",\"name\":\"L%d\",\"fields\":[%s]}"
              .formatted(i, part("n".repeat(700), schema));
    }
    return schema;
  }

  /** A record with ten fields of the record N. */
  private static String tenTimes(String n) {
    return "{\"type\":\"record\",\"name\":\"W\",\"fields\":[%s]}"
        .formatted(
            IntStream.range(0, 10)
                .mapToObj(i -> part("g" + i, i == 0 ? n : "\"N\""))
                .collect(Collectors.joining(",")));
  }

  /** Fields of one type with several aliases. */
  private static String aliases(int fields, int number) {
    String aliases =
        IntStream.range(0, number).mapToObj(i -> "\"a" + i + "\"").collect(Collectors.joining(","));
    String fixed =
        "{\"type\":\"fixed\",\"name\":\"F\",\"aliases\":[%s],\"size\":1}".formatted(aliases);
    return record(
        IntStream.range(0, fields)
            .mapToObj(i -> part("f" + i, i == 0 ? fixed : "\"F\""))
            .toArray(String[]::new));
  }

  private static String longNames(int fields) {
    return IntStream.range(0, fields)
        .mapToObj(i -> part("n".repeat(700) + i, "\"int\""))
        .collect(Collectors.joining(",", "\"fields\":[", "]"));
  }

  /** Records that each contain the record before them several times, by its name. */
  private static String chain(int records, int times) {
    return record(
        IntStream.range(0, records)
            .mapToObj(i -> part("f" + i, link(i, times)))
            .toArray(String[]::new));
  }

  private static String link(int number, int times) {
    String before = number == 0 ? "\"int\"" : "\"N" + (number - 1) + "\"";
    String fields =
        IntStream.range(0, times)
            .mapToObj(i -> part("g" + i, before))
            .collect(Collectors.joining(","));
    return "{\"type\":\"record\",\"name\":\"N" + number + "\",\"fields\":[" + fields + "]}";
  }

  private record Registry(Schema writer) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, writer);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
