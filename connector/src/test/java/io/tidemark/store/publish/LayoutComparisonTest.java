package io.tidemark.store.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/**
 * The layout of a table that exists already. It is the same for all of its topics, in any order.
 */
class LayoutComparisonTest {
  private static final StoragePath TOPICS = new StoragePath("/topics");

  private final MemoryStorage storage = new MemoryStorage();
  private final LayoutComparison layouts = new LayoutComparison(storage);

  @Test
  void secondTopicOfATableCannotLayItOutOtherwise() throws Exception {
    layouts.requireAsBefore(table(PartitionSpec.NONE));
    layouts.record(table(PartitionSpec.NONE));

    assertThatThrownBy(() -> layouts.requireAsBefore(table(FieldPartitioned.parse("region"))))
        .isInstanceOf(LayoutChangedException.class);
    assertThatThrownBy(() -> layouts.record(table(FieldPartitioned.parse("region"))))
        .isInstanceOf(LayoutChangedException.class);
    layouts.requireAsBefore(table(PartitionSpec.NONE));
  }

  @Test
  void emptyDirectoriesOfHivePartitionsAreNoFiles() throws Exception {
    Table table = table(FieldPartitioned.parse("region"));
    StoragePath directory = table.layout().root().child("region=eu");
    storage.makeDirectories(directory);
    assertThat(layouts.agrees(table)).isFalse();

    try (OutputStream out = storage.create(directory.child("1.avro"))) {
      out.write(1);
    }

    assertThatThrownBy(() -> layouts.agrees(table))
        .isInstanceOf(LayoutChangedException.class)
        .hasMessageContaining("has files, but memory:/topics/")
        .hasMessageContaining("layout.json is missing");
  }

  private static Table table(PartitionSpec partitioning) {
    TableName name = new TableName("sales", "orders");
    return new Table(
        name, TableLayout.of(TOPICS, name, "sales.orders"), partitioning, TableOptions.DEFAULT);
  }
}
