package io.tidemark.connect.faults;

import io.tidemark.connect.routing.FieldValues;
import io.tidemark.connect.routing.Route;
import io.tidemark.connect.routing.Routing;
import io.tidemark.connect.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** How the records of a topic are led to the one or the other of its tables. */
enum Routes {
  /** There is only one. */
  NONE,
  /** Records of later writers go to the other one: they have the name of a record of their own. */
  BY_RECORD,
  /** Records of some markets go to the other one. */
  BY_FIELD;

  /** Whether a record that lands does so in the other table. */
  boolean other(SourceRecord record) {
    return switch (this) {
      case NONE -> false;
      case BY_RECORD -> record.kind() == RecordKind.LATER;
      case BY_FIELD -> otherMarket(SourceRecord.market(record.key()));
    };
  }

  /** Whether records of a market go to the other table, where the market decides. */
  static boolean otherMarket(String market) {
    return SourceRecord.MARKETS.indexOf(market) % 2 == 1;
  }

  /** The routing between a topic's table and its other one. */
  Routing between(Table table, Table other) {
    return switch (this) {
      case NONE -> Routing.toOne(table);
      case BY_RECORD -> new ByVenue(table, other);
      case BY_FIELD -> byMarket(table, other);
    };
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

  private record ByVenue(Table table, Table other) implements Routing {
    @Override
    public List<Table> tables() {
      return List.of(table, other);
    }

    @Override
    public Route route(Schema writer) {
      return new Route.ToTable(writer.getField("venue") == null ? table : other);
    }
  }
}
