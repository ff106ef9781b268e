package io.tidemark.connect.staging;

import io.tidemark.store.table.Table;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The rules that choose the tables of one topic's records. Called once for each writer schema.
 * Thread-safe.
 */
public interface Routing {

  /** Returns all tables of the routes; their roots differ. Empty if no rule matches the topic. */
  List<Table> tables();

  Route route(Schema writer);

  /** Returns the routing of all records to one table. */
  static Routing toOne(Table table) {
    return new Fixed(List.of(table), new Route.ToTable(table));
  }

  /** Returns the routing of a topic that no rule matches. */
  static Routing nowhere(Route.Nowhere nowhere) {
    return new Fixed(List.of(), nowhere);
  }

  /** The same route for all records. */
  record Fixed(List<Table> tables, Route always) implements Routing {
    @Override
    public Route route(Schema writer) {
      return always;
    }
  }
}
