package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class HivePartitionPropertyTest {

  @Property
  void whatIsWrittenIsReadBack(
      @ForAll @Size(max = 3) List<@StringLength(min = 1, max = 8) String> columns,
      @ForAll @Size(value = 3) List<@StringLength(max = 40) String> values) {
    HivePartition partition = new HivePartition(columns, values.subList(0, columns.size()));

    assertThat(HivePartition.parse(partition.path())).isEqualTo(partition);
  }
}
