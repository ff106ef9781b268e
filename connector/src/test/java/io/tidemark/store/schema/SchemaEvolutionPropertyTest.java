package io.tidemark.store.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

class SchemaEvolutionPropertyTest {

  /** Types for each field that a record may have. Most of them are compatible. */
  private static final Map<String, List<String>> TYPES =
      new TreeMap<>(
          Map.of(
              "a", List.of("'int'", "'long'", "'double'", "['null','int']", "['float','null']"),
              "b", List.of("'string'", "['null','string']", "['string','null']", "'null'"),
              "c", List.of("['int','string']", "['null','string','double']", "['null','double']"),
              "d",
                  List.of(
                      "{'type':'array','items':'int'}", "{'type':'array','items':['null','long']}"),
              "e", List.of("{'type':'map','values':'long'}", "{'type':'map','values':'float'}"),
              "f", List.of(decimal(9, 2), decimal(12, 2), decimal(9, 2), decimal(9, 3)),
              "g",
                  List.of(
                      symbols("'A'"), symbols("'A','B'"), "['null'," + symbols("'C','B'") + "]")));

  private static String decimal(int precision, int scale) {
    return "{'type':'bytes','logicalType':'decimal','precision':%d,'scale':%d}"
        .formatted(precision, scale);
  }

  private static String symbols(String symbols) {
    return "{'type':'enum','name':'Letter','symbols':[%s]}".formatted(symbols);
  }

  /** Schemas of one subject, nested two deep. */
  @Provide
  Arbitrary<Schema> writers() {
    Arbitrary<String> flat = record("Leaf", Arbitraries.just(Optional.empty()));
    Arbitrary<Optional<String>> child =
        flat.map(leaf -> leaf.replace("Letter", "LeafLetter")).optional(0.7);
    return record("Row", child).map(SchemaEvolutionPropertyTest::parse);
  }

  private static Arbitrary<String> record(String name, Arbitrary<Optional<String>> child) {
    List<Arbitrary<String>> fields = new ArrayList<>();
    TYPES.forEach(
        (field, types) ->
            fields.add(
                Arbitraries.of(types)
                    .map(type -> "{'name':'%s','type':%s}".formatted(field, type))
                    .optional(0.6)
                    .map(written -> written.orElse(""))));
    fields.add(
        child.map(
            type -> type.map(leaf -> "{'name':'child','type':%s}".formatted(leaf)).orElse("")));
    return Combinators.combine(fields)
        .as(
            written ->
                "{'type':'record','name':'%s','fields':[%s]}"
                    .formatted(
                        name,
                        written.stream()
                            .filter(field -> !field.isEmpty())
                            .collect(Collectors.joining(","))));
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }

  @Property(tries = 300)
  void tablesOwnSchemaChangesNothing(@ForAll("writers") Schema writer) {
    assertThat(evolve(initial(writer), writer)).contains(writer);
  }

  @Property(tries = 300)
  void evolvedTableReadsEveryWriterThatItTook(@ForAll("histories") List<Schema> writers) {
    List<Schema> taken = new ArrayList<>();
    Schema table = initial(writers.get(0));
    List<Schema> versions = new ArrayList<>(List.of(table));
    for (Schema writer : writers) {
      Optional<Schema> evolved = evolve(table, writer);
      if (evolved.isPresent()) {
        table = evolved.get();
        taken.add(writer);
        versions.add(table);
      }
    }
    for (Schema written : taken) {
      assertThat(reads(table, written)).as("%s reads %s", table, written).isTrue();
      assertThat(evolve(table, written)).contains(table);
    }
    for (Schema version : versions) {
      assertThat(reads(table, version)).as("%s reads %s", table, version).isTrue();
    }
  }

  @Provide
  Arbitrary<List<Schema>> histories() {
    return writers().list().ofMinSize(2).ofMaxSize(4);
  }

  @Property(tries = 300)
  void orderOfTheWritersDoesNotDecideWhatCanBeRead(@ForAll("histories") List<Schema> writers) {
    Optional<Schema> forward = evolveAll(writers);
    List<Schema> reversed = new ArrayList<>(writers);
    Collections.reverse(reversed);
    Optional<Schema> backward = evolveAll(reversed);
    Statistics.collect(forward.isPresent() && backward.isPresent());
    if (forward.isPresent() && backward.isPresent()) {
      for (Schema writer : writers) {
        assertThat(reads(forward.get(), writer)).isTrue();
        assertThat(reads(backward.get(), writer)).isTrue();
      }
      assertThat(reads(forward.get(), backward.get())).isTrue();
      assertThat(reads(backward.get(), forward.get())).isTrue();
    }
  }

  @Property(tries = 300)
  void columnsNeverMove(@ForAll("writers") Schema first, @ForAll("writers") Schema second) {
    Schema table = initial(first);
    evolve(table, second)
        .ifPresent(
            evolved ->
                assertThat(evolved.getFields().subList(0, table.getFields().size()))
                    .extracting(Schema.Field::name)
                    .containsExactlyElementsOf(
                        table.getFields().stream().map(Schema.Field::name).toList()));
  }

  private static Optional<Schema> evolveAll(List<Schema> writers) {
    Optional<Schema> table = Optional.of(initial(writers.get(0)));
    for (Schema writer : writers) {
      table = table.flatMap(current -> evolve(current, writer));
    }
    return table;
  }

  private static Schema initial(Schema writer) {
    try {
      return SchemaEvolution.initial(writer);
    } catch (SchemaConflictException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<Schema> evolve(Schema table, Schema writer) {
    try {
      return Optional.of(SchemaEvolution.evolve(table, writer));
    } catch (SchemaConflictException e) {
      assertThat(e).hasMessageStartingWith("Field ");
      return Optional.empty();
    }
  }

  private static boolean reads(Schema reader, Schema written) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, written).getType()
        == SchemaCompatibilityType.COMPATIBLE;
  }
}
