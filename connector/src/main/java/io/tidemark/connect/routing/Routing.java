package io.tidemark.connect.routing;

import io.tidemark.connect.table.Table;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The way from the records of one topic to their tables. Asked once for each writer schema, and
 * safe for use by many threads.
 */
public interface Routing {

  /** The tables that a route may lead to, each with another root; none where no rule leads on. */
  List<Table> tables();

  /** Where records of a writer schema go: to one of {@link #tables}, or nowhere. */
  Route route(Schema writer);

  /** All records of a topic go to one table. */
  static Routing toOne(Table table) {
    return to(List.of(table), new Route.ToTable(table));
  }

  /** No rule takes the topic. */
  static Routing nowhere(Route.Nowhere nowhere) {
    return to(List.of(), nowhere);
  }

  private static Routing to(List<Table> tables, Route route) {
    return new Routing() {
      @Override
      public List<Table> tables() {
        return tables;
      }

      @Override
      public Route route(Schema writer) {
        return route;
      }
    };
  }
}
