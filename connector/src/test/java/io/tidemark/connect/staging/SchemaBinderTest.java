package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.tidemark.store.partition.TopicPartitioned;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableSchemas;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

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
          Optional.of("at"));

  private final MemoryStorage storage = new MemoryStorage();

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

  /** Otherwise the table that has accepted the other schema would refuse the corrected one. */
  @Test
  void schemaThatOneOfItsTablesRefusesChangesNone() throws Exception {
    TableLayout eu = TableLayout.of(new StoragePath("/topics"), "eu");
    TableLayout us = TableLayout.of(new StoragePath("/topics"), "us");
    new TableSchemas(storage, us)
        .evolve(
            record("{'name':'region','type':'string'},{'name':'x','type':'string'}"), next -> {});
    Map<String, Table> byRegion = new LinkedHashMap<>();
    byRegion.put("eu", new Table(new TableName("default", "eu"), eu, PartitionSpec.NONE));
    byRegion.put("us", new Table(new TableName("default", "us"), us, PartitionSpec.NONE));
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
            Optional.empty(),
            Optional.empty());

    assertThatThrownBy(() -> binder.extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class);
    assertThat(new TableSchemas(storage, eu).current()).isEmpty();
    assertThat(binder.extend(Bindings.NONE, SchemaId.of(2)).find(SchemaId.of(2))).isNotNull();
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
    return new SchemaBinder(
        new Registry(List.of(writers)),
        FramingReader::new,
        Routing.toOne(new Table(new TableName("default", "quotes"), LAYOUT, partitioning)),
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        Optional.empty(),
        Optional.empty());
  }

  private static Schema record(String fields) {
    return new Schema.Parser()
        .parse("{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
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
