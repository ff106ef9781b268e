package io.tidemark.connect.routing;

import io.tidemark.connect.table.Table;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * The records of a topic go by the value of a field.
 *
 * @param path the field, dotted where it is nested
 * @param byValue the tables, by the text of a value
 * @param others where records with any other value go, and those without one
 * @param fieldSetting the key of the configuration that names the field, for messages
 * @param setting the key that names the tables
 * @param deadLetters whether records without a table are dead letters
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
