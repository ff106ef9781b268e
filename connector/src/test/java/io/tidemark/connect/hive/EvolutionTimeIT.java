package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time in which a table of 10,000 Hive partitions gets another column. The connector alters
 * only the table: Hive reads every Hive partition by the schema of the table, so the number of Hive
 * partitions must not matter.
 */
@OnSharedStack
@Tag("long")
class EvolutionTimeIT {
  private static final int MANY = 10_000;

  @Test
  void numberOfHivePartitionsDoesNotMatter(RealStack real) throws Exception {
    LocalStack stack = real.services();
    stack.hive().execute("create database if not exists evolution");
    try (HiveCatalog catalog =
        new HiveCatalog(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of())) {
      long unused = evolveMs(catalog, stack, "warm_up", 1);
      long one = evolveMs(catalog, stack, "one", 1);
      long many = evolveMs(catalog, stack, "many", MANY);
      System.out.printf(
          "another column: %,d ms with 1 Hive partition, %,d ms with %,d%n", one, many, MANY);

      assertThat(many).isLessThan(10 * one + 2_000);
      assertThat(stack.hive().query("select b from evolution.many where n = '17'")).isEmpty();
      assertThat(stack.hive().query("describe evolution.many"))
          .extracting(row -> row.get(0))
          .startsWith("a", "b", "n");
    }
  }

  private static long evolveMs(HiveCatalog catalog, LocalStack stack, String name, int partitions)
      throws Exception {
    Schema first = SchemaBuilder.record("R").fields().optionalString("a").endRecord();
    Schema second =
        SchemaBuilder.record("R").fields().optionalString("a").optionalLong("b").endRecord();
    TableDefinition before = definition(stack, name, first, 1);
    catalog.registerTable(before);
    Set<HivePartition> added =
        IntStream.range(0, partitions)
            .mapToObj(i -> new HivePartition(List.of("n"), List.of(Integer.toString(i))))
            .collect(Collectors.toSet());
    catalog.addPartitions(before, added, added);
    long addedMs = System.nanoTime() / 1_000_000;
    catalog.registerTable(definition(stack, name, second, 2));
    long endMs = System.nanoTime() / 1_000_000;
    return endMs - addedMs;
  }

  private static TableDefinition definition(
      LocalStack stack, String name, Schema schema, int version) {
    return new TableDefinition(
        new TableName("evolution", name),
        stack.hdfs().uri() + "/topics/evolution_" + name,
        schema,
        List.of("n"),
        Map.of("tidemark.log", "ours", "tidemark.schema.version", Integer.toString(version)));
  }
}
