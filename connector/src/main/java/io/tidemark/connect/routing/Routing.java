package io.tidemark.connect.routing;

import io.tidemark.connect.table.Table;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The way from the records of one topic to their tables. Asked once for each writer schema, and
 * safe for use by many threads.
 */
public interface Routing {

  /** The tables that a route may lead to: at least one, each with another root. */
  List<Table> tables();

  /** Where records of a writer schema go: to one of {@link #tables}. */
  Route route(Schema writer);

  /** All records of a topic go to one table. */
  static Routing toOne(Table table) {
    return new Routing() {
      @Override
      public List<Table> tables() {
        return List.of(table);
      }

      @Override
      public Route route(Schema writer) {
        return new Route(table);
      }
    };
  }
}
