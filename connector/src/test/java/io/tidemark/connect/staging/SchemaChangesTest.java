package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.staging.SchemaChange.Place;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableSchemas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each change of a schema does to the table, as the binder decides it. The table of
 * docs/TABLES.md has these results; to write it again, run the test with
 * -Dtidemark.docs.write=true.
 */
final class SchemaChangesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "TABLES.md");
  private static final String BEGIN = "<!-- SchemaChangesTest writes this table. -->\n";
  private static final String END = "<!-- End of the table. -->\n";

  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "r");

  @Test
  void documentHasTheResultOfEachChange() throws Exception {
    StringBuilder table = new StringBuilder(BEGIN);
    table.append("| change | result |\n|---|---|\n");
    for (SchemaChange change : SchemaChange.ALL) {
      table.append("| %s | %s |%n".formatted(change.what(), result(change, Place.TABLE)));
    }
    String document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN);
    int to = document.indexOf(END);
    assertThat(from).as("%s has no line %s", DOCUMENT, BEGIN).isNotNegative().isLessThan(to);
    if (Boolean.getBoolean("tidemark.docs.write")) {
      Files.writeString(DOCUMENT, document.substring(0, from) + table + document.substring(to));
    }
    assertThat(document.substring(from, to)).isEqualTo(table.toString());
  }

  static Stream<Arguments> nested() {
    return SchemaChange.ALL.stream()
        .flatMap(
            change ->
                Stream.of(Place.RECORD, Place.ARRAY, Place.MAP)
                    .map(place -> Arguments.of(change.what(), change, place)));
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("nested")
  void nestedRecordChangesAsTheTableItself(String what, SchemaChange change, Place place)
      throws Exception {
    assertThat(result(change, place)).as(what).isEqualTo(result(change, Place.TABLE));
  }

  /** Lands records of both schemas, the second one twice, and describes what has changed. */
  private static String result(SchemaChange change, Place place) throws Exception {
    MemoryStorage storage = new MemoryStorage();
    SchemaBinder binder =
        new SchemaBinder(
            new Registry(List.of(change.first(place), change.then(place))),
            FramingReader::new,
            Routing.toOne(new Table(new TableName("default", "r"), LAYOUT, PartitionSpec.NONE)),
            layout -> new TableSchemas(storage, layout),
            true,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());
    SchemaId one = SchemaId.of(1);
    SchemaId two = SchemaId.of(2);
    Bindings first = binder.extend(Bindings.NONE, one);
    Schema before = first.require(one).tableSchema().schema();
    Bindings both;
    try {
      both = binder.extend(first, two);
    } catch (SchemaConflictException e) {
      assertThat(new TableSchemas(storage, LAYOUT).current().orElseThrow().version()).isEqualTo(1);
      return "conflict";
    }
    Schema after = both.require(two).tableSchema().schema();
    assertThat(both.require(one).tableSchema()).isEqualTo(both.require(two).tableSchema());
    assertThat(binder.extend(both, one).require(one).tableSchema().schema())
        .as("the first schema again")
        .isEqualTo(after);
    return described(place.record(before), place.record(after), place.record(change.then(place)))
        + (both.require(two).plan().copies() ? "; copied" : "; rewritten");
  }

  private static String described(Schema before, Schema after, Schema writer) {
    assertThat(after.getFields().stream().map(Schema.Field::name))
        .as("the order of the columns")
        .startsWith(before.getFields().stream().map(Schema.Field::name).toArray(String[]::new));
    List<String> changes = new ArrayList<>();
    for (Schema.Field field : after.getFields()) {
      Schema.Field was = before.getField(field.name());
      if (was == null) {
        changes.add(
            "column, "
                + (field.hasDefaultValue() && !isNull(field) ? "default" : "null")
                + " before");
      } else if (!was.schema().equals(field.schema())) {
        changes.add(changed(was, field));
      }
    }
    writer.getFields().stream()
        .filter(field -> after.getField(field.name()) == null)
        .forEach(field -> changes.add("left out"));
    return changes.isEmpty() ? "same columns" : String.join("; ", changes);
  }

  private static boolean isNull(Schema.Field field) {
    return field.defaultVal() == JsonProperties.NULL_VALUE;
  }

  private static String changed(Schema.Field was, Schema.Field now) {
    String type = hiveType(was);
    if (!type.equals(hiveType(now))) {
      return "`%s`".formatted(hiveType(now));
    }
    if (now.schema().isNullable() && !was.schema().isNullable()) {
      return "nullable";
    }
    return now.schema().getType() == Schema.Type.ENUM ? "united" : "nullable items";
  }

  private static String hiveType(Schema.Field field) {
    Schema record =
        Schema.createRecord(
            "T", null, null, false, List.of(new Schema.Field(field, field.schema())));
    try {
      return HiveSchema.of(record, List.of()).columns().get(0).type();
    } catch (SchemaConflictException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Registry(List<Schema> writers) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, writers.get(Integer.parseInt(id.text()) - 1));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
