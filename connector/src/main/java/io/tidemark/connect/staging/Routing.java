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

  /** Returns the routing of a writer schema's records: to one table, or {@link FieldValues}. */
  default Routing route(Schema writer) throws UnroutedException {
    return this;
  }

  /** Returns the table for records whose schema one of {@link #tables} cannot accept, if any. */
  default Optional<Table> beside(Table table) {
    return Optional.empty();
  }

  /** Adds such tables, by the tables of other rules. */
  record WithConflicts(Routing rules, Map<Table, Table> beside) implements Routing {
    public WithConflicts {
      beside = Collections.unmodifiableMap(new LinkedHashMap<>(beside));
    }

    @Override
    public List<Table> tables() {
      return Stream.concat(rules.tables().stream(), beside.values().stream()).distinct().toList();
    }

    @Override
    public Routing route(Schema writer) throws UnroutedException {
      return rules.route(writer);
    }

    @Override
    public Optional<Table> beside(Table table) {
      return Optional.ofNullable(beside.get(table));
    }
  }

  static Routing toOne(Table table) {
    return new OneTable(List.of(table));
  }

  record OneTable(List<Table> tables) implements Routing {}

  /** A topic that no rule matches; its records become dead letters, or the topic is refused. */
  record Nowhere(String reason, boolean deadLetters) implements Routing {
    @Override
    public List<Table> tables() {
      return List.of();
    }

    @Override
    public Routing route(Schema writer) throws UnroutedException {
      throw new UnroutedException(reason, deadLetters);
    }
  }

  /**
   * Routes records by the full names of their writer schemas, as {@code com.example.OrderPaid};
   * {@code others} is the table of records with any other name.
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
    public Routing route(Schema writer) throws UnroutedException {
      Optional<Table> table =
          Optional.ofNullable(byName.get(writer.getFullName())).or(() -> others);
      return toOne(
          table.orElseThrow(
              () ->
                  new UnroutedException(
                      "%s names no table for records of the name %s. Add it there, or \"*\" for all other names."
                          .formatted(setting, PrintableText.of(writer.getFullName())),
                      deadLetters)));
    }
  }

  /**
   * Routes records by the text of a field's value; the path is dotted if the field is nested.
   * {@code others} is the table of records with any other value or none.
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
  }
}
