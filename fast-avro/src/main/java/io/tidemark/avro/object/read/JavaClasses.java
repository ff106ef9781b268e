package io.tidemark.avro.object.read;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Finds schemas that name the classes of strings, by {@code java-class} or {@code java-key-class}.
 * Avro's two readers treat them differently, and generated code follows the slower one.
 */
final class JavaClasses {
  private final Set<Schema> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private JavaClasses() {}

  static boolean isIn(Schema schema) {
    return new JavaClasses().find(schema);
  }

  private boolean find(Schema schema) {
    return switch (schema.getType()) {
      case STRING -> schema.getProp(SpecificData.CLASS_PROP) != null;
      case MAP ->
          schema.getProp(SpecificData.KEY_CLASS_PROP) != null || find(schema.getValueType());
      case ARRAY -> find(schema.getElementType());
      case UNION -> schema.getTypes().stream().anyMatch(this::find);
      case RECORD ->
          seen.add(schema) && schema.getFields().stream().anyMatch(field -> find(field.schema()));
      default -> false;
    };
  }
}
