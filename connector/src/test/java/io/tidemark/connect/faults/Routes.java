package io.tidemark.connect.faults;

import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.connect.staging.Routing.RecordNames;
import io.tidemark.store.table.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** The rule that selects one of the two tables of a topic for each of its records. */
enum Routes {
  /** The topic has one table. */
  NONE,
  /**
   * Records of the later schema go to the other table: this schema's record has a name of its own.
   */
  BY_RECORD,
  /** Records of some markets go to the other table. */
  BY_FIELD;

  /** True if a record, when it lands, goes to the other table. */
  boolean other(SourceRecord record) {
    return switch (this) {
      case NONE -> false;
      case BY_RECORD -> record.kind() == RecordKind.LATER;
      case BY_FIELD -> otherMarket(SourceRecord.market(record.key()));
    };
  }

  /** True if records of a market go to the other table under {@link #BY_FIELD}. */
  static boolean otherMarket(String market) {
    return SourceRecord.MARKETS.indexOf(market) % 2 == 1;
  }

  /** The schema of later writers, which has another name where names decide. */
  Schema later() {
    return this == BY_RECORD ? SourceRecord.LATER_RENAMED : SourceRecord.LATER;
  }

  /**
   * The routing between a topic's table and its other one.
   *
   * @param added the table of records that had no table before a rule was added
   * @param deadLetters true if records without a table become dead letters
   */
  Routing between(Table table, Table other, Optional<Table> added, boolean deadLetters) {
    return switch (this) {
      case NONE -> Routing.toOne(table);
      case BY_RECORD -> byName(table, other, added, deadLetters);
      case BY_FIELD -> byMarket(table, other);
    };
  }

  private static Routing byName(
      Table table, Table other, Optional<Table> added, boolean deadLetters) {
    Map<String, Table> byName = new LinkedHashMap<>();
    byName.put(SourceRecord.EARLIER.getFullName(), table);
    byName.put(SourceRecord.LATER_RENAMED.getFullName(), other);
    added.ifPresent(each -> byName.put(SourceRecord.UNROUTED.getFullName(), each));
    return new RecordNames(byName, Optional.empty(), "map", deadLetters);
  }

  private static Routing byMarket(Table table, Table other) {
    Map<String, Table> byMarket = new HashMap<>();
    for (String market : SourceRecord.MARKETS) {
      if (otherMarket(market)) {
        byMarket.put(market, other);
      }
    }
    return new FieldValues("market", byMarket, Optional.of(table), "field", "map", false);
  }
}
