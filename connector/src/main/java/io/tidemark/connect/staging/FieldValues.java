package io.tidemark.connect.staging;

import io.tidemark.store.table.Table;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * Routes the records of a topic by the value of a field.
 *
 * @param path the field, as a dotted path if nested
 * @param byValue the tables, by the text of a value
 * @param others the table of records with any other value or none; empty if there is no such table
 * @param fieldSetting the configuration key that names the field, for messages
 * @param setting the configuration key that names the tables, for messages
 * @param deadLetters whether records without a table become dead letters
 */
public record FieldValues(
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
