package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HivePartitionTest {

  @Test
  void pathNamesColumnsAndValues() {
    assertThat(new HivePartition(List.of("dt", "hour"), List.of("2026-11-21", "07")).path())
        .isEqualTo("dt=2026-11-21/hour=07");
  }

  @Test
  void wholeTableHasAnEmptyPath() {
    assertThat(HivePartition.WHOLE_TABLE.path()).isEmpty();
    assertThat(HivePartition.parse("")).isEqualTo(HivePartition.WHOLE_TABLE);
  }

  @Test
  void whatHiveEscapesIsEscaped() {
    assertThat(new HivePartition(List.of("t"), List.of("07:30 50%/a=b\t{x}_é")).path())
        .isEqualTo("t=07%3A30 50%25%2Fa%3Db%09%7Bx}_é");
  }

  @Test
  void emptyValueIsHivesDefaultPartition() {
    HivePartition partition = new HivePartition(List.of("c"), List.of(""));

    assertThat(partition.path()).isEqualTo("c=__HIVE_DEFAULT_PARTITION__");
    assertThat(HivePartition.parse(partition.path())).isEqualTo(partition);
  }

  @Test
  void componentOfWhatTheFileSystemCannotNameIsRefused() {
    String value = "é".repeat(127);

    assertThatThrownBy(() -> new HivePartition(List.of("c"), List.of(value)))
        .hasMessageContaining("256 bytes");
  }

  @Test
  void componentsWithoutAnEqualsSignAreNotParsed() {
    assertThatThrownBy(() -> HivePartition.parse("dt=1/7"))
        .hasMessage("\"7\" of \"dt=1/7\" is not of the form column=value");
  }
}
