package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaEvolution;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.hive.metastore.api.CreateTableRequest;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The catalog on a real Metastore, and the rows that HiveServer2 then reads. */
@OnSharedStack
class HiveCatalogIT {
  private static final List<String> COLUMNS = List.of("dt", "hour");
  private static final HivePartition SEVEN = HivePartition.parse("dt=2026-11-21/hour=07");
  private static final HivePartition EIGHT = HivePartition.parse("dt=2026-11-21/hour=08");

  private static LocalStack stack;
  private static Storage storage;

  private HiveCatalog catalog;
  private TableName name;

  @BeforeAll
  static void takeStack(RealStack real) throws Exception {
    stack = real.services();
    // If two tests create the database at the same time, the Metastore refuses the second one.
    stack.hive().execute("create database if not exists landing");
    storage =
        new HdfsConnection(
                stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
            .open();
  }

  @AfterAll
  static void closeStorage() throws IOException {
    storage.close();
  }

  @BeforeEach
  void openCatalog(TestInfo test) {
    catalog = catalog(stack.metastore().uris());
    name =
        new TableName(
            "landing", test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT));
  }

  @AfterEach
  void closeCatalog() {
    catalog.close();
  }

  @Test
  void registeredFilesAreReadByHive() throws Exception {
    Schema schema = schema("{'name':'Id','type':'long'},{'name':'text','type':'string'}");
    TableDefinition table = definition(schema, 1, COLUMNS);
    write(SEVEN, schema, row(schema, 1L, "one"), row(schema, 2L, "two"));
    write(EIGHT, schema, row(schema, 3L, "three"));

    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(SEVEN, EIGHT));

    assertThat(query("select id, text, dt, hour from %s"))
        .containsExactlyInAnyOrder(
            List.of(1L, "one", "2026-11-21", "07"),
            List.of(2L, "two", "2026-11-21", "07"),
            List.of(3L, "three", "2026-11-21", "08"));
    assertThat(query("select count(*) from %s where hour = '07'")).containsExactly(List.of(2L));
  }

  @Test
  void registeringAgainIsHarmless() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, COLUMNS);
    write(SEVEN, schema, row(schema, 1L));

    for (int time = 0; time < 2; time++) {
      catalog.registerTable(table);
      catalog.addPartitions(table, List.of(SEVEN));
    }

    assertThat(query("show partitions %s")).containsExactly(List.of("dt=2026-11-21/hour=07"));
    assertThat(query("select id from %s")).containsExactly(List.of(1L));
  }

  @Test
  void tableAndItsHivePartitionsAreFound() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, COLUMNS);
    HivePartition escaped = new HivePartition(COLUMNS, List.of("a/b=c", ""));

    assertThat(catalog.exists(name)).isFalse();
    assertThat(catalog.partitions(name)).isEmpty();
    catalog.registerTable(table);
    assertThat(catalog.exists(name)).isTrue();
    assertThat(catalog.partitions(name)).isEmpty();
    catalog.addPartitions(table, List.of(SEVEN, escaped));

    assertThat(catalog.partitions(name)).containsExactlyInAnyOrder(SEVEN, escaped);
  }

  @Test
  void tableTellsWhatFeedsIt() throws Exception {
    catalog.registerTable(definition(schema("{'name':'id','type':'long'}"), 1, COLUMNS));

    assertThat(query("show tblproperties %s"))
        .contains(
            List.of("EXTERNAL", "TRUE"),
            List.of("tidemark.log", "ours"),
            List.of("tidemark.schema.version", "1"))
        .noneMatch(property -> "DO_NOT_UPDATE_STATS".equals(property.get(0)));
  }

  @Test
  void oldFilesOfAnEvolvedTableShowNullsAndDefaults() throws Exception {
    Schema old = schema("{'name':'id','type':'int'},{'name':'gone','type':'string'}");
    Schema writer =
        schema(
            "{'name':'id','type':'long'},{'name':'added','type':['null','string'],'default':null},"
                + "{'name':'filled','type':'int','default':7}");
    Schema evolved = SchemaEvolution.evolve(old, writer);
    TableDefinition before = definition(old, 1, COLUMNS);
    TableDefinition after = definition(evolved, 2, COLUMNS);
    write(SEVEN, old, row(old, 1, "x"));
    catalog.registerTable(before);
    catalog.addPartitions(before, List.of(SEVEN));
    write(SEVEN, evolved, row(evolved, 2L, null, "y", 8));
    write(EIGHT, evolved, row(evolved, 3L, "z", "w", 9));

    catalog.registerTable(after);
    catalog.addPartitions(after, List.of(SEVEN, EIGHT));

    List<@Nullable Object> first = new ArrayList<>(List.of(1L, "x"));
    first.add(null);
    first.add(7);
    List<@Nullable Object> second = new ArrayList<>();
    second.add(2L);
    second.add(null);
    second.addAll(List.of("y", 8));
    assertThat(query("select id, gone, added, filled from %s"))
        .containsExactlyInAnyOrder(first, second, List.of(3L, "z", "w", 9));
  }

  @Test
  void docsOfFieldsAreTheCommentsOfColumns() throws Exception {
    Schema first = schema("{'name':'id','type':'long','doc':'the number'}");
    Schema second =
        schema(
            "{'name':'id','type':'long','doc':'the number'},{'name':'b','type':'int','doc':'B'}");
    catalog.registerTable(definition(first, 1, COLUMNS));
    catalog.addPartitions(definition(first, 1, COLUMNS), List.of(SEVEN));

    catalog.registerTable(definition(second, 2, COLUMNS));

    assertThat(query("describe %s"))
        .contains(List.of("id", "bigint", "the number"), List.of("b", "int", "B"));
  }

  /** Types that Hive reads by the schema of the file are null there: see SchemaEvolution. */
  @Test
  void newFieldsOfEveryTypeReadInOldFiles() throws Exception {
    Schema old = schema("{'name':'id','type':'int'}");
    Schema writer =
        schema(
            "{'name':'id','type':'int'},{'name':'e','type':{'type':'enum','name':'E','symbols':['A']},'default':'A'},"
                + "{'name':'day','type':{'type':'int','logicalType':'date'},'default':1},"
                + "{'name':'f','type':{'type':'fixed','name':'F','size':1},'default':'x'},"
                + "{'name':'l','type':{'type':'array','items':'int'},'default':[5]},"
                + "{'name':'m','type':{'type':'map','values':'int'},'default':{'k':6}},"
                + "{'name':'n','type':{'type':'record','name':'N','fields':[{'name':'X','type':'int'}]},'default':{'X':7}},"
                + "{'name':'d','type':{'type':'bytes','logicalType':'decimal','precision':9},'default':'\\u0001'},"
                + "{'name':'u','type':['int','string'],'default':8}");
    Schema evolved = SchemaEvolution.evolve(old, writer);
    write(SEVEN, old, row(old, 1));
    catalog.registerTable(definition(old, 1, COLUMNS));
    catalog.addPartitions(definition(old, 1, COLUMNS), List.of(SEVEN));
    catalog.registerTable(definition(evolved, 2, COLUMNS));

    List<@Nullable Object> expected = new ArrayList<>(List.of(1, "A", "1970-01-02", 5, 6));
    expected.addAll(Arrays.asList(null, null, null));
    assertThat(query("select id, e, cast(day as string), l[0], m['k'], n.x, d, u from %s"))
        .containsExactly(expected);

    GenericRecord nested = row(writer.getField("n").schema(), 9);
    write(
        EIGHT,
        evolved,
        row(
            evolved,
            2,
            new GenericData.EnumSymbol(writer.getField("e").schema(), "A"),
            0,
            new GenericData.Fixed(writer.getField("f").schema(), new byte[] {1}),
            List.of(1),
            Map.of("k", 2),
            nested,
            ByteBuffer.wrap(new byte[] {3}),
            "text"));
    catalog.addPartitions(definition(evolved, 2, COLUMNS), List.of(EIGHT));
    assertThat(query("select n.x, cast(d as string), u from %s where hour = '08'"))
        .containsExactly(List.of(9, "3", "{1:\"text\"}"));
  }

  @Test
  void wideningEveryTypeIsTakenByTheMetastore() throws Exception {
    Schema old =
        schema(
            "{'name':'a','type':'int'},{'name':'b','type':'float'},{'name':'c','type':'long'},"
                + "{'name':'d','type':{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]}},"
                + "{'name':'e','type':['int','string']}");
    Schema writer =
        schema(
            "{'name':'a','type':'double'},{'name':'b','type':'double'},{'name':'c','type':'int'},"
                + "{'name':'d','type':{'type':'record','name':'N','fields':[{'name':'x','type':'long'},"
                + "{'name':'y','type':'int','default':5}]}},{'name':'e','type':['double','int']}");
    Schema evolved = SchemaEvolution.evolve(old, writer);
    write(SEVEN, old, row(old, 1, 1.5f, 2L, row(old.getField("d").schema(), 3), "e"));
    catalog.registerTable(definition(old, 1, COLUMNS));
    catalog.addPartitions(definition(old, 1, COLUMNS), List.of(SEVEN));

    catalog.registerTable(definition(evolved, 2, COLUMNS));

    write(
        SEVEN,
        evolved,
        row(evolved, 2.5, 2.5, 3L, row(evolved.getField("d").schema(), 4L, 6), 7.5));
    assertThat(query("select a, b, c, d.x, d.y, e from %s"))
        .containsExactlyInAnyOrder(
            List.of(1.0, 1.5, 2L, 3L, 5, "{1:\"e\"}"), List.of(2.5, 2.5, 3L, 4L, 6, "{2:7.5}"));
  }

  @Test
  void tableOf300ColumnsIsRead() throws Exception {
    Schema schema =
        schema(
            IntStream.range(0, 300)
                .mapToObj(i -> "{'name':'column_%d','type':['null','string']}".formatted(i))
                .reduce((a, b) -> a + "," + b)
                .orElseThrow());
    Object[] values = IntStream.range(0, 300).mapToObj(i -> "value " + i).toArray();
    write(SEVEN, schema, row(schema, values));

    catalog.registerTable(definition(schema, 1, COLUMNS));
    catalog.addPartitions(definition(schema, 1, COLUMNS), List.of(SEVEN));

    assertThat(query("select column_0, column_299, hour from %s"))
        .containsExactly(List.of("value 0", "value 299", "07"));
  }

  @Test
  void unpartitionedTableIsRead() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    write(HivePartition.WHOLE_TABLE, schema, row(schema, 5L));

    catalog.registerTable(definition(schema, 1, List.of()));

    assertThat(query("select id from %s")).containsExactly(List.of(5L));
  }

  @Test
  void fieldThatIsAPartitionColumnIsReadFromTheDirectory() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'},{'name':'dt','type':'string'}");
    write(SEVEN, schema, row(schema, 1L, "of the field"));

    catalog.registerTable(definition(schema, 1, COLUMNS));
    catalog.addPartitions(definition(schema, 1, COLUMNS), List.of(SEVEN));

    assertThat(query("select id, dt from %s")).containsExactly(List.of(1L, "2026-11-21"));
  }

  @Test
  void hiddenFilesAreNotRead() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    write(SEVEN, schema, row(schema, 1L));
    StoragePath staging = layout().stagingRoot();
    storage.makeDirectories(staging);
    storage.makeDirectories(layout().metadataDirectory());
    write(staging.child("claim.avro"), schema, row(schema, 2L));

    catalog.registerTable(definition(schema, 1, COLUMNS));
    catalog.addPartitions(definition(schema, 1, COLUMNS), List.of(SEVEN));

    assertThat(query("select id from %s")).containsExactly(List.of(1L));
  }

  @Test
  void escapedValuesComeBackUnescaped() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    HivePartition partition = new HivePartition(List.of("t"), List.of("07:30 a/b%"));
    write(partition, schema, row(schema, 1L));

    catalog.registerTable(definition(schema, 1, List.of("t")));
    catalog.addPartitions(definition(schema, 1, List.of("t")), List.of(partition));

    assertThat(query("select t, id from %s")).containsExactly(List.of("07:30 a/b%", 1L));
    assertThat(query("show partitions %s")).containsExactly(List.of(partition.path()));
  }

  @Test
  void olderSchemaNeverReplacesANewerOne() throws Exception {
    Schema old = schema("{'name':'id','type':'long'}");
    Schema newer = schema("{'name':'id','type':'long'},{'name':'b','type':'int','default':1}");
    catalog.registerTable(definition(newer, 2, COLUMNS));

    catalog.registerTable(definition(old, 1, COLUMNS));

    assertThat(query("describe %s")).contains(List.of("b", "int", ""));
  }

  @Test
  void racingTasksThatLookAgainLeaveTheNewestSchema() throws Exception {
    int tasks = 6;
    AtomicInteger newest = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(tasks);
    try {
      CyclicBarrier start = new CyclicBarrier(tasks);
      List<Future<Integer>> results = new ArrayList<>();
      for (int task = 1; task <= tasks; task++) {
        int version = task;
        results.add(
            pool.submit(
                () -> {
                  try (HiveCatalog own = catalog(stack.metastore().uris())) {
                    start.await();
                    return registerUntilNewest(own, newest, version);
                  }
                }));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).isPositive();
      }
      assertThat(query("describe %s")).contains(List.of("f" + tasks, "int", ""));
    } finally {
      pool.shutdownNow();
    }
  }

  private int registerUntilNewest(HiveCatalog own, AtomicInteger newest, int version)
      throws Exception {
    int registered = newest.accumulateAndGet(version, Math::max);
    try {
      own.registerTable(definition(withFields(registered), registered, COLUMNS));
    } catch (CatalogUnavailableException e) {
      // Two threads created the table at once: the Metastore reports a failed statement to the
      // second.
      return registerUntilNewest(own, newest, version);
    }
    return newest.get() > registered ? registerUntilNewest(own, newest, version) : registered;
  }

  private static Schema withFields(int count) {
    StringBuilder fields = new StringBuilder("{'name':'id','type':'long'}");
    for (int field = 1; field <= count; field++) {
      fields.append(",{'name':'f").append(field).append("','type':'int','default':0}");
    }
    return schema(fields.toString());
  }

  /** The view of {@code on.schema.conflict=table:_other,view:_all}. */
  @Test
  void viewShowsTheRowsOfATableAndOfTheOneForOtherSchemas() throws Exception {
    TableName second = new TableName(name.database(), name.table() + "_other");
    TableName view = new TableName(name.database(), name.table() + "_all");
    Schema one =
        schema(
            "{'name':'id','type':'long'},{'name':'price','type':'long'},{'name':'l','type':{'type':'array','items':'int'}}");
    Schema other =
        schema(
            "{'name':'id','type':'long'},{'name':'price','type':'string'},{'name':'note','type':'string'}");
    TableDefinition first = inView(name, one, 1);
    TableDefinition beside = inView(second, other, 1);

    catalog.registerTable(first);
    assertThat(catalog.exists(view)).as("before the second table").isFalse();
    catalog.registerTable(beside);
    write(layout(), SEVEN, one, row(one, 1L, 5L, List.of(1)));
    write(layout(second), SEVEN, other, row(other, 2L, "six", "dear"));
    catalog.addPartitions(first, List.of(SEVEN));
    catalog.addPartitions(beside, List.of(SEVEN));

    assertThat(query("select id, price, price_other, note, dt, hour from %s_all"))
        .containsExactlyInAnyOrder(
            Arrays.asList(1L, 5L, null, null, "2026-11-21", "07"),
            Arrays.asList(2L, null, "six", "dear", "2026-11-21", "07"));
    assertThat(query("select count(*) from %s_all where dt = '2026-11-22'"))
        .containsExactly(List.of(0L));
    assertThat(query("describe %s_all"))
        .extracting(column -> column.get(0))
        .containsExactly("id", "price", "dt", "hour", "price_other", "note");

    Schema wider =
        schema(
            "{'name':'id','type':'long'},{'name':'price','type':'long'},{'name':'l','type':{'type':'array','items':'int'}},{'name':'day','type':['null',{'type':'int','logicalType':'date'}],'default':null}");
    catalog.registerTable(inView(name, wider, 2));

    assertThat(query("select id, day from %s_all"))
        .containsExactlyInAnyOrder(Arrays.asList(1L, null), Arrays.asList(2L, null));
  }

  @Test
  void viewOfSomebodyElseStays() throws Exception {
    TableName second = new TableName(name.database(), name.table() + "_other");
    Schema schema = schema("{'name':'id','type':'long'}");
    stack.hive().execute("create view %s_all as select 7 as seven".formatted(name));

    catalog.registerTable(inView(name, schema, 1));
    catalog.registerTable(inView(second, schema, 1));
    assertThat(query("select * from %s_all")).containsExactly(List.of(7));

    stack.hive().execute("drop view %s_all".formatted(name));
    catalog.registerTable(inView(second, schema, 1));
    assertThat(query("select * from %s_all")).isEmpty();
    stack.hive().execute("alter view %s_all as select 8 as eight".formatted(name));
    catalog.registerTable(inView(second, schema, 1));
    assertThat(query("select * from %s_all")).containsExactly(List.of(8));
  }

  private TableDefinition inView(TableName table, Schema schema, int version) {
    TableDefinition plain = definition(schema, version, COLUMNS);
    Map<String, String> parameters = new HashMap<>(plain.parameters());
    parameters.put("tidemark.view", "%s,%s_other,%s_all".formatted(name, name, name));
    return new TableDefinition(
        table, storage.location() + layout(table).root(), schema, COLUMNS, parameters);
  }

  /**
   * {@code UPDATE COLUMNS} stores the columns as Hive reads them from the schema. The Metastore
   * rejects it for a decimal on fixed, which Hive reads as bytes.
   */
  @Test
  void columnsOfEveryTypeAreTheSameWhenHiveReadsThemFromTheSchema() throws Exception {
    Schema schema =
        schema(
            "{'name':'Id','type':'int'},{'name':'e','type':{'type':'enum','name':'E','symbols':['A']}},"
                + "{'name':'day','type':{'type':'int','logicalType':'date'}},"
                + "{'name':'at','type':{'type':'long','logicalType':'timestamp-millis'}},"
                + "{'name':'micros','type':{'type':'long','logicalType':'timestamp-micros'}},"
                + "{'name':'f','type':{'type':'fixed','name':'F','size':1}},"
                + "{'name':'d','type':{'type':'bytes','logicalType':'decimal','precision':9,'scale':2}},"
                + "{'name':'b','type':'bytes'},{'name':'fl','type':'float'},{'name':'bo','type':'boolean'},"
                + "{'name':'l','type':{'type':'array','items':['null','int']}},"
                + "{'name':'m','type':{'type':'map','values':{'type':'array','items':'double'}}},"
                + "{'name':'n','type':{'type':'record','name':'N','fields':[{'name':'X','type':'int'}]}},"
                + "{'name':'u','type':['null','int','string']},{'name':'o','type':['null','string']}");
    catalog.registerTable(definition(schema, 1, COLUMNS));
    for (String change : List.of("set tblproperties ('note'='theirs')", "update columns")) {
      stack.hive().execute("alter table %s %s".formatted(name, change));

      catalog.registerTable(definition(schema, 1, COLUMNS));
      catalog.addPartitions(definition(schema, 1, COLUMNS), List.of(SEVEN));
    }
    catalog.registerTable(
        definition(
            SchemaEvolution.evolve(
                schema, schema("{'name':'Id','type':'int'},{'name':'z','type':'int','default':1}")),
            2,
            COLUMNS));
    assertThat(query("describe %s")).contains(List.of("z", "int", ""));
  }

  @Test
  void tableOfSomebodyElseIsRefused() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    stack
        .hive()
        .execute(
            "create external table %s (id bigint, theirs string) stored as avro location '%s'"
                .formatted(name, layout().root()));

    assertThatThrownBy(() -> catalog.registerTable(definition(schema, 1, List.of())))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageStartingWith(name + ": Hive has a table of this name")
        .hasMessageContaining("its column 2 is theirs string, not none")
        .hasMessageContaining("hive.table.name");
  }

  @Test
  void managedTableIsRefused() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    // Hive 4 makes an external table of a new one that is neither external nor transactional.
    stack
        .hive()
        .execute(
            "create external table %s (id bigint) stored as avro location '%s/elsewhere/%s'"
                .formatted(name, stack.hdfs().uri(), name.table()),
            "alter table %s set tblproperties ('EXTERNAL'='FALSE')".formatted(name));

    assertThatThrownBy(() -> catalog.registerTable(definition(schema, 1, List.of())))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("Hive has a table of this name")
        .hasMessageContaining(
            "it is not an external table, but MANAGED_TABLE, whose files Hive owns");
  }

  @Test
  void tableOfAnotherPlaceLogOrPartitioningIsRefused() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, COLUMNS);
    catalog.registerTable(table);

    assertThatThrownBy(
            () ->
                catalog.registerTable(
                    new TableDefinition(
                        name, stack.hdfs().uri() + "/other", schema, COLUMNS, table.parameters())))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("its location is " + table.location());
    assertThatThrownBy(
            () ->
                catalog.registerTable(
                    new TableDefinition(
                        name,
                        table.location(),
                        schema,
                        COLUMNS,
                        Map.of("tidemark.log", "other", "tidemark.schema.version", "1"))))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("the log ours writes it, not other");
    assertThatThrownBy(() -> catalog.registerTable(definition(schema, 1, List.of("dt"))))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("its partition columns are [dt, hour]");
  }

  @Test
  void hivePartitionInAnotherPlaceIsUnseen() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, COLUMNS);
    catalog.registerTable(table);
    stack
        .hive()
        .execute(
            "alter table %s add partition (dt='2026-11-21', hour='07') location '%s/elsewhere'"
                .formatted(name, stack.hdfs().uri()));

    UnseenPartition elsewhere =
        new UnseenPartition(
            name,
            SEVEN,
            table.location() + "/" + SEVEN.path(),
            Optional.of(stack.hdfs().uri() + "/elsewhere"),
            Optional.empty());
    assertThat(catalog.unseen(table, List.of(EIGHT, SEVEN)))
        .as("without adding any")
        .containsExactly(
            new UnseenPartition(
                name,
                EIGHT,
                table.location() + "/" + EIGHT.path(),
                Optional.empty(),
                Optional.empty()),
            elsewhere);
    assertThat(catalog.addPartitions(table, List.of(EIGHT, SEVEN))).containsExactly(elsewhere);
    assertThat(catalog.unseen(table, List.of(EIGHT, SEVEN))).containsExactly(elsewhere);
  }

  @Test
  void manyHivePartitionsAreAddedInSeveralCalls() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, List.of("n"));
    List<HivePartition> partitions =
        IntStream.range(0, 250)
            .mapToObj(i -> new HivePartition(List.of("n"), List.of(Integer.toString(i))))
            .toList();
    catalog.registerTable(table);

    catalog.addPartitions(table, partitions);

    assertThat(query("show partitions %s")).hasSize(250);
  }

  /** Derby, like MySQL, ignores trailing spaces when it compares texts. */
  @Test
  void hivePartitionThatTheDatabaseTakesForAnotherHoldsNothingUp() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition table = definition(schema, 1, List.of("place"));
    List<HivePartition> alike = places("west", "west ", "West", "east");
    catalog.registerTable(table);

    List<UnseenPartition> unseen = catalog.addPartitions(table, alike);
    assertThat(unseen).extracting(UnseenPartition::partition).containsExactly(alike.get(1));
    assertThat(unseen).extracting(UnseenPartition::existing).containsExactly(Optional.empty());
    assertThat(unseen)
        .extracting(UnseenPartition::equated)
        .containsExactly(Optional.of(alike.get(0)));
    assertThat(catalog.unseen(table, places("west "))).as("without adding any").isEqualTo(unseen);
    assertThat(catalog.addPartitions(table, alike)).isEqualTo(unseen);
    assertThat(catalog.addPartitions(table, places("east ", "north")))
        .extracting(UnseenPartition::partition)
        .containsExactlyElementsOf(places("east "));

    assertThat(query("show partitions %s"))
        .extracting(row -> String.valueOf(row.get(0)))
        .contains("place=west", "place=West", "place=east", "place=north");
  }

  @Test
  void transactionalTableOfSomebodyElseIsRefused() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    TableDefinition definition = definition(schema, 1, List.of());
    Table table = HiveObjects.table(definition, HiveSchema.of(schema, List.of()), "somebody");
    table.setTableType("MANAGED_TABLE");
    table.unsetPartitionKeys();
    table.setParameters(Map.of("transactional", "true", "transactional_properties", "insert_only"));
    table.getSd().unsetLocation();
    try (MetastoreConnection metastore =
        new MetastoreConnection(settings(stack.metastore().uris()))) {
      CreateTableRequest request = new CreateTableRequest(table);
      request.setProcessorCapabilities(List.of("HIVEMANAGEDINSERTWRITE"));
      request.setProcessorIdentifier("somebody");
      metastore.run("Creating " + name, client -> client.create_table_req(request));
    }

    assertThatThrownBy(() -> catalog.registerTable(definition))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("it is not an external table, but MANAGED_TABLE");
  }

  private static List<HivePartition> places(String... places) {
    return Arrays.stream(places)
        .map(place -> new HivePartition(List.of("place"), List.of(place)))
        .toList();
  }

  @Test
  void schemaThatHiveHasNoTypeForIsRefused() {
    Schema recursive = schema("{'name':'next','type':['null','Row']}");

    assertThatThrownBy(() -> catalog.registerTable(definition(recursive, 1, COLUMNS)))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("contains the record Row recursively");
  }

  @Test
  void nextMetastoreIsAskedWhenOneIsAway() throws Exception {
    Schema schema = schema("{'name':'id','type':'long'}");
    String away;
    try (ServerSocket socket = new ServerSocket(0)) {
      away = "thrift://localhost:" + socket.getLocalPort();
    }
    try (HiveCatalog several = catalog(away + "," + stack.metastore().uris())) {
      several.registerTable(definition(schema, 1, COLUMNS));
      several.registerTable(definition(schema, 1, COLUMNS));
    }
    assertThat(query("describe %s")).contains(List.of("id", "bigint", ""));
  }

  @Test
  void closedCatalogIsUnavailable() {
    catalog.close();

    assertThatThrownBy(
            () ->
                catalog.registerTable(
                    definition(schema("{'name':'id','type':'long'}"), 1, COLUMNS)))
        .isInstanceOf(CatalogUnavailableException.class);
  }

  private static HiveCatalog catalog(String uris) {
    return new HiveCatalog(settings(uris), Set.of());
  }

  private static MetastoreSettings settings(String uris) {
    return MetastoreSettings.of(uris, MetastoreAccess.OF_THE_PROCESS);
  }

  private TableLayout layout() {
    return layout(name);
  }

  private static TableLayout layout(TableName table) {
    return TableLayout.of(new StoragePath("/topics"), table.table());
  }

  private TableDefinition definition(Schema schema, int version, List<String> columns) {
    return new TableDefinition(
        name,
        storage.location() + layout().root(),
        schema,
        columns,
        Map.of("tidemark.log", "ours", "tidemark.schema.version", Integer.toString(version)));
  }

  private List<List<@Nullable Object>> query(String sql) throws SQLException {
    return stack.hive().query(sql.formatted(name));
  }

  private void write(HivePartition partition, Schema schema, GenericRecord... rows)
      throws IOException {
    write(layout(), partition, schema, rows);
  }

  private static void write(
      TableLayout table, HivePartition partition, Schema schema, GenericRecord... rows)
      throws IOException {
    StoragePath place = table.partitionDirectory(partition);
    storage.makeDirectories(place);
    write(place.child("file-" + System.nanoTime() + ".avro"), schema, rows);
  }

  private static void write(StoragePath file, Schema schema, GenericRecord... rows)
      throws IOException {
    try (OutputStream out = storage.create(file);
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(schema))
                .create(schema, out)) {
      for (GenericRecord row : rows) {
        writer.append(row);
      }
    }
  }

  private static GenericRecord row(Schema schema, @Nullable Object... values) {
    GenericRecord row = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      row.put(i, values[i]);
    }
    return row;
  }

  private static Schema schema(String fields) {
    return new Schema.Parser()
        .parse(
            "{'type': 'record', 'name': 'Row', 'fields': [%s]}"
                .formatted(fields)
                .replace('\'', '"'));
  }
}
