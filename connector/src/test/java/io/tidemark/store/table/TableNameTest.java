package io.tidemark.store.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TableNameTest {

  @Test
  void whatHiveDoesNotTakeIsAnUnderscore() {
    assertThat(TableName.of("Raw", "v2_Orders.new-EU")).hasToString("raw.v2_orders_new_eu");
  }

  @Test
  void longNamesAreCutAndStayApart() {
    String most = "t".repeat(128);
    String longest = "t".repeat(249);

    assertThat(TableName.of("raw", most).table()).isEqualTo(most);
    assertThat(TableName.of("raw", longest).table())
        .hasSize(128)
        .matches("t{111}_[0-9a-f]{16}")
        .isNotEqualTo(TableName.of("raw", "t".repeat(248)).table());
  }
}
