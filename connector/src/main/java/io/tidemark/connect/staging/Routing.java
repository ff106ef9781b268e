package io.tidemark.connect.staging;

import io.tidemark.store.table.Table;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The rules that choose the tables of one topic's records. Called once for each writer schema.
 * Thread-safe.
 */
public interface Routing {

  /**
   * Returns all tables that a route can contain; their roots differ. Empty if no rule matches the
   * topic.
   */
  List<Table> tables();

  /** Returns the route of a writer schema's records: to {@link #tables}, or nowhere. */
  Route route(Schema writer);

  /** Returns the routing of all records to one table. */
  static Routing toOne(Table table) {
    return to(List.of(table), new Route.ToTable(table));
  }

  /** Returns the routing of a topic that no rule matches. */
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
