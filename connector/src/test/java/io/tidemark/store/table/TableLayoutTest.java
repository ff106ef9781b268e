package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.HivePartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableLayoutTest {
  private static final StoragePath TOPICS = new StoragePath("/topics");

  @Test
  void partitionsLieBelowTheTablesRoot() {
    TableLayout layout = TableLayout.of(TOPICS, "quotes");

    assertThat(layout.partitionDirectory(HivePartition.parse("dt=2026-11-21/hour=07")).value())
        .isEqualTo("/topics/quotes/dt=2026-11-21/hour=07");
    assertThat(layout.partitionDirectory(HivePartition.WHOLE_TABLE)).isEqualTo(layout.root());
  }

  @Test
  void ownDirectoriesAreHiddenFromHive() {
    TableLayout layout = TableLayout.of(TOPICS, "quotes");

    assertThat(layout.stagingRoot().name()).startsWith(".");
    assertThat(layout.metadataDirectory().name()).startsWith(".");
  }

  @ParameterizedTest
  @CsvSource({"_internal, %5Finternal", ".hidden, %2Ehidden", "a_b.c-d, a_b.c-d"})
  void noTopicHidesItsTableOrFiles(String topic, String visible) {
    assertThat(TableLayout.of(TOPICS, topic).root().value()).isEqualTo("/topics/" + visible);
    assertThat(DataFile.name(new TopicPartition(topic, 0), 1, 5, 9, 10, "avro"))
        .isEqualTo(visible + "+0+g1+0000000005+0000000009.avro");
  }

  @ParameterizedTest
  @CsvSource({"0, quotes+3+g2+7+12.avro", "3, quotes+3+g2+007+012.avro"})
  void offsetsArePaddedAsAsked(int width, String name) {
    assertThat(DataFile.name(new TopicPartition("quotes", 3), 2, 7, 12, width, "avro"))
        .isEqualTo(name);
  }

  @Test
  void longTopicsKeepNamesShortAndApart() {
    String one = "_" + "x".repeat(247) + "1";
    String two = "_" + "x".repeat(247) + "2";
    String nameOne =
        DataFile.name(new TopicPartition(one, 2_000_000), 1_000, 0, Long.MAX_VALUE, 19, "avro");
    String nameTwo =
        DataFile.name(new TopicPartition(two, 2_000_000), 1_000, 0, Long.MAX_VALUE, 19, "avro");

    assertThat(nameOne.getBytes(UTF_8)).hasSize(255);
    assertThat(nameOne).isNotEqualTo(nameTwo).startsWith("%5Fxxx");
    assertThat(TableLayout.of(TOPICS, one).root()).isNotEqualTo(TableLayout.of(TOPICS, two).root());
  }
}
