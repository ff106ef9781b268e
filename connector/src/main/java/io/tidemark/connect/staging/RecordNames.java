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

/**
 * Routes the records of a topic by the names of their writer schemas.
 *
 * @param byName the tables, by the full name of a record. Example: {@code com.example.OrderPaid}
 * @param others the table of records with any other name; empty if there is no such table
 * @param setting the configuration key that names the tables, for messages
 * @param deadLetters whether records without a table become dead letters
 */
public record RecordNames(
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
