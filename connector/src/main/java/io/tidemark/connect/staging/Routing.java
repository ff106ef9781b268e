package io.tidemark.connect.staging;

import io.tidemark.store.PrintableText;
import io.tidemark.store.table.Table;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** The rules that choose tables for one topic's records, by their writer schemas. Thread-safe. */
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

  /**
   * Routes the records of a topic by the names of their writer schemas.
   *
   * @param byName the tables, by the full name of a record. Example: {@code com.example.OrderPaid}
   * @param others the table of records with any other name; empty if there is no such table
   * @param setting the configuration key that names the tables, for messages
   * @param deadLetters whether records without a table become dead letters
   */
  record RecordNames(
      Map<String, Table> byName, Optional<Table> others, String setting, boolean deadLetters)
      implements Routing {

    public RecordNames {
      byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    @Override
    public List<Table> tables() {
      return Stream.concat(byName.values().stream(), others.stream()).distinct().toList();
    }

    @Override
    public Route route(Schema writer) {
      Table named = byName.get(writer.getFullName());
      if (named != null) {
        return new Route.ToTable(named);
      }
      return others
          .<Route>map(Route.ToTable::new)
          .orElseGet(
              () ->
                  new Route.Nowhere(
                      "%s names no table for records of the name %s. Add it there, or \"*\" for all other names."
                          .formatted(setting, PrintableText.of(writer.getFullName())),
                      deadLetters));
    }
  }

  /**
   * Routes the records of a topic by the value of a field.
   *
   * @param path the field, as a dotted path if nested
   * @param byValue the tables, by the text of a value
   * @param others the table of records with any other value or none; empty if there is none
   * @param fieldSetting the configuration key that names the field, for messages
   * @param setting the configuration key that names the tables, for messages
   * @param deadLetters whether records without a table become dead letters
   */
  record FieldValues(
      String path,
      Map<String, Table> byValue,
      Optional<Table> others,
      String fieldSetting,
      String setting,
      boolean deadLetters)
      implements Routing {

    public FieldValues {
      byValue = Collections.unmodifiableMap(new LinkedHashMap<>(byValue));
    }

    @Override
    public List<Table> tables() {
      return Stream.concat(byValue.values().stream(), others.stream()).distinct().toList();
    }

    @Override
    public Route route(Schema writer) {
      return new Route.ByField(this);
    }
  }
}
