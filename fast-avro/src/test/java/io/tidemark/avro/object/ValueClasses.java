package io.tidemark.avro.object;

import java.util.Collection;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Describes the classes of an object and of all values in it. */
final class ValueClasses {
  private ValueClasses() {}

  /** Example: {@code Record[Utf8, HashMap[String=Long], null]}, with the names of packages. */
  static String of(@Nullable Object object) {
    if (object == null) {
      return "null";
    }
    String type = object.getClass().getName();
    if (object instanceof IndexedRecord record) {
      return type
          + record.getSchema().getFields().stream()
              .map(field -> of(record.get(field.pos())))
              .toList();
    }
    if (object instanceof Map<?, ?> map) {
      return type
          + map.entrySet().stream()
              .map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
              .toList();
    }
    if (object instanceof Collection<?> items) {
      return type + items.stream().map(ValueClasses::of).toList();
    }
    return type;
  }
}
