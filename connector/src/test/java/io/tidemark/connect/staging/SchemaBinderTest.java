package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.TopicPartitioned;
import io.tidemark.store.schema.HiveColumn;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two valid writer schemas that the table cannot both accept. The second one is refused, and the
 * table continues with the first.
 */
final class SchemaBinderTest {
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final PartitionSpec BY_TIME =
      new TimePartitioned(
          PathFormat.parse("'dt'=yyyy-MM-dd", Locale.ENGLISH),
          ZoneOffset.UTC,
          Duration.ofDays(1),
          Optional.of("at"),
          TimestampField.Unit.MILLIS);

  private static final String DECIMAL =
      "{'type':'bytes','logicalType':'decimal','precision':64,'scale':2}";

  private final MemoryStorage storage = new MemoryStorage();

  @Test
  void schemaOnWhichALibraryFailsIsRefused() {
    for (Throwable thrown :
        List.of(
            new StackOverflowError(),
            new OutOfMemoryError("Java heap space"),
            new NoClassDefFoundError("Made"),
            new IllegalStateException("no such branch"))) {
      SchemaBinder binder = binder(PartitionSpec.NONE, new Throwing(thrown));
      assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
          .isInstanceOf(SchemaConflictException.class)
          .hasMessageContainingAll("it cannot be used: " + thrown.getClass().getName(), "smaller");
    }
  }

  @Test
  void namesThatDifferInCapitalsOnly() throws Exception {
    secondIsRefused(
        PartitionSpec.NONE,
        record("{'name':'id','type':'long'},{'name':'Name','type':'string'}"),
        record("{'name':'id','type':'long'},{'name':'name','type':'string'}"),
        "the fields Name and name, which Hive does not distinguish");
  }

  @Test
  void recordsThatHoldEachOther() throws Exception {
    secondIsRefused(
        PartitionSpec.NONE,
        record(
            "{'name':'a','type':{'type':'record','name':'A','fields':[{'name':'b','type':"
                + "{'type':'record','name':'B','fields':[{'name':'x','type':'int'}]}}]}}"),
        record(
            "{'name':'b','type':{'type':'record','name':'B','fields':[{'name':'a','type':"
                + "{'type':'record','name':'A','fields':[{'name':'x','type':'int'}]}}]}}"),
        "recursively");
  }

  @Test
  void recursiveRecordLandsInATableOutsideOfHive() throws Exception {
    Schema recursive =
        record("{'name':'id','type':'long'},{'name':'next','type':['null','R'],'default':null}");
    assertThatThrownBy(
            () -> binder(PartitionSpec.NONE, recursive).extend(Bindings.NONE, SchemaId.of(1)))
        .hasMessageContaining("recursively")
        .hasMessageContaining("topic.NAME.hive.integration=false");

    SchemaBinder outside =
        new SchemaBinder(
            new Registry(List.of(recursive)),
            FramingReader::new,
            Routing.toOne(
                new Table(
                    new TableName("default", "quotes"),
                    LAYOUT,
                    PartitionSpec.NONE,
                    new TableOptions(
                        Optional.empty(),
                        true,
                        true,
                        false,
                        false,
                        SchemaMapping.NONE,
                        SchemaRules.DEFAULT))),
            layout -> new TableSchemas(storage, layout),
            true,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());
    assertThat(outside.extend(Bindings.NONE, SchemaId.of(1)).find(SchemaId.of(1))).isNotNull();
  }

  @Test
  void fieldThatThePartitionColumnOfAnotherWouldHide() throws Exception {
    String stop =
        "{'name':'stop','type':{'type':'record','name':'Stop','fields':[{'name':'line','type':'string'}]}}";
    secondIsRefused(
        new FieldPartitioned(List.of("stop.line")),
        record("{'name':'id','type':'long'}," + stop),
        record("{'name':'id','type':'long'}," + stop + ",{'name':'stop_line','type':'int'}"),
        "would hide the field stop_line");
  }

  @Test
  void fieldThatTheColumnOfTopicPartitionsWouldHide() throws Exception {
    secondIsRefused(
        new TopicPartitioned(),
        record("{'name':'id','type':'long'}"),
        record(
            "{'name':'id','type':'long'},{'name':'Partition','type':['null','int'],'default':null}"),
        "the partition column partition would hide the field Partition");
  }

  @Test
  void timeThatBecomesADouble() throws Exception {
    secondIsRefused(
        BY_TIME,
        record("{'name':'id','type':'long'},{'name':'at','type':'long'}"),
        record("{'name':'id','type':'long'},{'name':'at','type':'double'}"),
        "a double would round longs");
  }

  @Test
  void firstSchemaThatCannotBePlacedMakesNoTable() throws Exception {
    SchemaBinder binder =
        binder(new FieldPartitioned(List.of("region")), record("{'name':'id','type':'long'}"));

    // A conflict pauses the topic and does nothing else.
    assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("no field \"region\"");

    assertThat(new TableSchemas(storage, LAYOUT).current()).isEmpty();
  }

  /** Kafka Connect declares a precision of 64 for numbers of unknown precision. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"false | decimal(38,2)", "true | string"})
  void decimalWithMoreDigitsThanHiveHasAColumn(boolean asText, String column) throws Exception {
    Schema writer = record("{'name':'d','type':['null',%s]}".formatted(DECIMAL));
    Binding binding =
        binder(SchemaMapping.builder().decimals(38, asText).build(), writer)
            .extend(Bindings.NONE, SchemaId.of(1))
            .require(SchemaId.of(1));

    assertThat(binding.plan().writerSchema()).isEqualTo(writer);
    assertThat(HiveSchema.of(binding.tableSchema().schema(), List.of()).columns())
        .contains(new HiveColumn("d", column, ""));
  }

  @Test
  void decimalWithMoreDigitsThanHiveIsRefusedIfTheSettingSaysSo() {
    assertThatThrownBy(
            () ->
                binder(SchemaMapping.NONE, record("{'name':'d','type':%s}".formatted(DECIMAL)))
                    .extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContainingAll(
            "Field R.d is a decimal of precision 64", "types.decimal.unbounded");
  }

  /** A union has at most one string, so with types.decimal.unbounded=string it cannot land. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "['string',%s] | R.d",
        "['null',%s,'string'] | R.d",
        "{'type':'array','items':['string',%s]} | R.d[]",
        "{'type':'map','values':['string',%s]} | R.d{}",
        "{'type':'record','name':'N','fields':[{'name':'e','type':['string',%s]}]} | R.d.e",
      })
  void textOfDecimalsBesideAStringIsRefusedWithTheCure(String type, String field) throws Exception {
    Schema writer = record("{'name':'d','type':%s}".formatted(type.formatted(DECIMAL)));

    assertThatThrownBy(
            () ->
                binder(SchemaMapping.builder().decimals(38, true).build(), writer)
                    .extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessage(
            "Field %s is a decimal of precision 64 in a union that has a string, so types.decimal.unbounded=string cannot make it one. Set decimal(38,s) for this topic (topic.NAME.types.decimal.unbounded) if the scale is at most 38, remove one of the two, or leave the table out of Hive: topic.NAME.hive.integration=false."
                .formatted(field));
    assertThat(new TableSchemas(storage, LAYOUT).current()).isEmpty();
    assertThatCode(
            () ->
                binder(TableOptions.DEFAULT_MAPPING, writer).extend(Bindings.NONE, SchemaId.of(1)))
        .doesNotThrowAnyException();
  }

  /** A string column that exists gets the texts of decimals, not their bytes. */
  @Test
  void textOfDecimalsLandsInAColumnOfStrings() throws Exception {
    SchemaBinder binder =
        binder(
            SchemaMapping.builder().decimals(38, true).build(),
            record("{'name':'d','type':'string'}"),
            record("{'name':'d','type':%s}".formatted(DECIMAL)));

    Bindings bindings = binder.extend(binder.extend(Bindings.NONE, SchemaId.of(1)), SchemaId.of(2));

    assertThat(bindings.require(SchemaId.of(2)).plan().toString()).contains("text of decimal");
  }

  @Test
  void tableHasTheMappedTypesAndFields() throws Exception {
    Schema writer =
        record(
            "{'name':'side','type':{'type':'enum','name':'Side','symbols':['BUY','SELL']}},{'name':'note','type':'string'},{'name':'ssn','type':'string'}");
    SchemaMapping mapping =
        SchemaMapping.builder().type("enum", "string").exclude("note").hash("ssn", "s").build();
    Binding binding =
        binder(mapping, writer).extend(Bindings.NONE, SchemaId.of(1)).require(SchemaId.of(1));

    assertThat(binding.plan().writerSchema()).isEqualTo(writer);
    assertThat(binding.plan().toString()).contains("text of enum", "drop bytes", "hash of string");
    assertThat(HiveSchema.of(binding.tableSchema().schema(), List.of()).columns())
        .containsExactly(new HiveColumn("side", "string", ""), new HiveColumn("ssn", "string", ""));
  }

  /** Otherwise a column would have values of two kinds. */
  @ParameterizedTest
  @ValueSource(strings = {"enum", "timestamp", "hash", "mask"})
  void rulesThatChangeLaterAreRefusedByTheTable(String rule) throws Exception {
    Schema writer =
        record(
            "{'name':'side','type':{'type':'enum','name':'Side','symbols':['BUY','SELL']}},{'name':'at','type':{'type':'long','logicalType':'timestamp-micros'}},{'name':'ssn','type':'string'}");
    SchemaMapping mapping =
        switch (rule) {
          case "enum" -> SchemaMapping.builder().type("enum", "string").build();
          case "timestamp" ->
              SchemaMapping.builder().type("timestamp-micros", "timestamp-millis").build();
          case "hash" -> SchemaMapping.builder().hash("ssn", "s").build();
          default -> SchemaMapping.builder().mask("ssn", "***").build();
        };
    binder(SchemaMapping.NONE, writer).extend(Bindings.NONE, SchemaId.of(1));

    assertThatThrownBy(() -> binder(mapping, writer).extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("the table has");
  }

  @Test
  void ruleThatCannotBeAppliedIsNamedWithItsCure() {
    Schema writer = record("{'name':'ssn','type':'double'}");
    SchemaMapping mapping = SchemaMapping.builder().hash("ssn", "s").build();

    assertThatThrownBy(() -> binder(mapping, writer).extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessage(
            "the rules for types and fields do not apply to it: R_ssn: double cannot be hashed, only text, bytes, a whole number or an enum. Correct types.* or fields.* for its table, or leave the topic out.");
  }

  private SchemaBinder binder(SchemaMapping decimals, Schema... writers) {
    Table table =
        new Table(
            new TableName("default", "quotes"),
            LAYOUT,
            PartitionSpec.NONE,
            new TableOptions(
                Optional.empty(), true, true, false, true, decimals, SchemaRules.DEFAULT));
    return binder(Routing.toOne(table), new Registry(List.of(writers)));
  }

  /** Otherwise the table that has accepted the other schema would refuse the corrected one. */
  @Test
  void schemaThatOneOfItsTablesRefusesChangesNone() throws Exception {
    TableLayout eu = TableLayout.of(new StoragePath("/topics"), "eu");
    TableLayout us = TableLayout.of(new StoragePath("/topics"), "us");
    new TableSchemas(storage, us)
        .evolve(
            record("{'name':'region','type':'string'},{'name':'x','type':'string'}"), next -> {});
    Map<String, Table> byRegion = new LinkedHashMap<>();
    byRegion.put(
        "eu",
        new Table(new TableName("default", "eu"), eu, PartitionSpec.NONE, TableOptions.DEFAULT));
    byRegion.put(
        "us",
        new Table(new TableName("default", "us"), us, PartitionSpec.NONE, TableOptions.DEFAULT));
    SchemaBinder binder =
        new SchemaBinder(
            new Registry(
                List.of(
                    record("{'name':'region','type':'string'},{'name':'x','type':'int'}"),
                    record("{'name':'region','type':'string'},{'name':'x','type':'string'}"))),
            FramingReader::new,
            new FieldValues(
                "region",
                byRegion,
                Optional.empty(),
                "field2table.field",
                "field2table.map",
                false),
            layout -> new TableSchemas(storage, layout),
            true,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());

    assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class);
    assertThat(new TableSchemas(storage, eu).current()).isEmpty();
    assertThat(binder.extend(Bindings.NONE, SchemaId.of(2)).find(SchemaId.of(2))).isNotNull();
  }

  @Test
  void schemaThatIsNotPlannedInTimeIsRefusedAndMakesNoTable() {
    SchemaBinder binder = impatient(large("f"), record("{'name':'id','type':'long'}"));

    assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("within 1 ms (plan.timeout.ms)");
    assertThatCode(() -> binder.extend(Bindings.NONE, SchemaId.of(2))).doesNotThrowAnyException();
  }

  /** Avro's library cannot be interrupted, so a thread may run longer than its schema's time. */
  @Test
  void topicWithManySlowSchemasHasOneThreadThatPlans() {
    Schema[] slow =
        IntStream.range(0, 8).mapToObj(schema -> large("f" + schema)).toArray(Schema[]::new);
    SchemaBinder binder = impatient(slow);
    long before = planning();
    for (int id = 1; id <= slow.length; id++) {
      SchemaId schema = SchemaId.of(id);
      assertThatThrownBy(() -> binder.extend(Bindings.NONE, schema))
          .isInstanceOf(SchemaConflictException.class);
      assertThat(planning() - before).isLessThanOrEqualTo(1);
    }
  }

  /** It may be planned at once: only the earlier one takes long. */
  @Test
  void largeSchemaBehindASlowOneIsToldToWait() throws Exception {
    SchemaBinder binder = impatient(large("slow"), large("next"));
    assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOfSatisfying(
            SchemaConflictException.class, refusal -> assertThat(refusal.passes()).isFalse());
    long before = planning();
    Throwable refusal = catchThrowable(() -> binder.extend(Bindings.NONE, SchemaId.of(2)));
    assumeThat(before).as("the first schema was still being planned").isPositive();

    assertThat(refusal)
        .isInstanceOfSatisfying(
            SchemaConflictException.class, busy -> assertThat(busy.passes()).isTrue())
        .hasMessageContaining("an earlier large schema of its topic is still being planned")
        .hasMessageNotContaining("Make it smaller");
  }

  private static long planning() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("tidemark-schema-plan"))
        .count();
  }

  private static Schema large(String name) {
    return record(
        IntStream.range(0, 9_000)
            .mapToObj(field -> "{'name':'%s_%d','type':['null','int']}".formatted(name, field))
            .collect(Collectors.joining(",")));
  }

  /** Large schemas are planned within 1 ms. */
  private SchemaBinder impatient(Schema... writers) {
    return new SchemaBinder(
        new Registry(List.of(writers)),
        FramingReader::new,
        Routing.toOne(
            new Table(
                new TableName("default", "quotes"),
                LAYOUT,
                PartitionSpec.NONE,
                TableOptions.DEFAULT)),
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        new SchemaLimits(1 << 20, 100_000, 50_000, 300, 10_000, 1),
        Optional.empty(),
        Optional.empty());
  }

  /** The plans of all schemas for the widened table would need more heap with each schema. */
  @Test
  void heapOfPlansIsLimitedAndTheOthersArePlannedAgain() throws Exception {
    Schema[] writers =
        IntStream.range(0, 30)
            .mapToObj(
                schema ->
                    record(
                        IntStream.range(0, 200)
                            .mapToObj(
                                field ->
                                    "{'name':'f_%d_%d','type':'int','default':0}"
                                        .formatted(schema, field))
                            .collect(Collectors.joining(","))))
            .toArray(Schema[]::new);
    SchemaBinder binder = binder(PartitionSpec.NONE, writers);
    Bindings bindings = Bindings.NONE;
    for (int id = 1; id <= writers.length; id++) {
      bindings = binder.extend(bindings, SchemaId.of(id));
      assertThat(bindings.byId().values().stream().mapToLong(each -> each.plan().weight()).sum())
          .isLessThan(20 << 20);
    }
    assertThat(bindings.byId()).hasSizeBetween(2, writers.length - 1);
    for (int id = 1; id <= writers.length; id += 10) {
      bindings = binder.extend(bindings, SchemaId.of(id));
      assertThat(bindings.require(SchemaId.of(id)).tableSchema().version())
          .isEqualTo(writers.length);
    }
  }

  /** A schema with properties of 300 KB may take 8 MB of the heap, but its plan is small. */
  @Test
  void heapOfWriterSchemasIsLimited() throws Exception {
    Schema[] writers =
        IntStream.range(0, 6)
            .mapToObj(
                schema ->
                    record(
                        "{'name':'id','type':'int','p%d':[%s{}]}"
                            .formatted(schema, "{},".repeat(100_000))))
            .toArray(Schema[]::new);
    SchemaBinder binder = binder(PartitionSpec.NONE, writers);
    Bindings bindings = Bindings.NONE;
    for (int id = 1; id <= writers.length; id++) {
      bindings = binder.extend(bindings, SchemaId.of(id));
      assertThat(bindings.find(SchemaId.of(id))).isNotNull();
      assertThat(bindings.byId()).hasSizeLessThanOrEqualTo(2);
    }
  }

  private void secondIsRefused(
      PartitionSpec partitioning, Schema first, Schema second, String problem) throws Exception {
    SchemaBinder binder = binder(partitioning, first, second);
    Bindings bindings = binder.extend(Bindings.NONE, SchemaId.of(1));

    assertThatThrownBy(() -> binder.extend(bindings, SchemaId.of(2)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining(problem);

    assertThat(new TableSchemas(storage, LAYOUT).current().orElseThrow().version()).isEqualTo(1);
    SchemaBinder restarted = binder(partitioning, first, second);
    assertThat(restarted.extend(Bindings.NONE, SchemaId.of(1)).find(SchemaId.of(1))).isNotNull();
  }

  /** Schema ids count from 1, in the order of the writers. */
  private SchemaBinder binder(PartitionSpec partitioning, Schema... writers) {
    return binder(partitioning, new Registry(List.of(writers)));
  }

  private SchemaBinder binder(PartitionSpec partitioning, SchemaRegistry registry) {
    return binder(
        Routing.toOne(
            new Table(
                new TableName("default", "quotes"), LAYOUT, partitioning, TableOptions.DEFAULT)),
        registry);
  }

  private SchemaBinder binder(Routing routing, SchemaRegistry registry) {
    return new SchemaBinder(
        registry,
        FramingReader::new,
        routing,
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        SchemaLimits.DEFAULT,
        Optional.empty(),
        Optional.empty());
  }

  private static Schema record(String fields) {
    return new Schema.Parser()
        .parse("{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
  }

  private record Throwing(Throwable thrown) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
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
