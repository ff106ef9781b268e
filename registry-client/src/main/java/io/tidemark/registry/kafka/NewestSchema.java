package io.tidemark.registry.kafka;

import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * Compares the logical types of a value's schema with those of the newest schema, with which it is
 * written. Avro's schema resolution ignores them: {@code 1.50} with scale 2 would become {@code
 * 0.150} with scale 3. For one comparison.
 */
final class NewestSchema {
  private record Pair(Schema own, Schema newest) {}

  private final Set<Pair> compared = new HashSet<>();

  private NewestSchema() {}

  /**
   * Returns if each value has the same logical type in both schemas.
   *
   * @throws AvroTypeException otherwise, with the field and its two types
   */
  static void requireSameLogicalTypes(Schema own, Schema newest) {
    // As in schema resolution, an alias can map a record or a field to another name.
    new NewestSchema().compare(Schema.applyAliases(own, newest), newest, "the value");
  }

  private void compare(Schema own, Schema newest, String place) {
    if (!compared.add(new Pair(own, newest))) {
      return;
    }
    if (own.getType() == Schema.Type.UNION || newest.getType() == Schema.Type.UNION) {
      for (Schema branch : branches(own)) {
        counterpart(branch, newest).ifPresent(other -> compare(branch, other, place));
      }
      return;
    }
    if (!Objects.equals(own.getLogicalType(), newest.getLogicalType())) {
      throw new AvroTypeException(
          place + " is " + written(own) + " in its own schema and " + written(newest) + " there");
    }
    if (own.getType() != newest.getType()) {
      return; // Promoted, or rejected by the resolution.
    }
    switch (newest.getType()) {
      case RECORD -> compareFields(own, newest);
      case ARRAY -> compare(own.getElementType(), newest.getElementType(), place + "[]");
      case MAP -> compare(own.getValueType(), newest.getValueType(), place + "{}");
      default -> {} // Other types contain no values.
    }
  }

  private void compareFields(Schema own, Schema newest) {
    for (Schema.Field field : newest.getFields()) {
      Schema.Field written = own.getField(field.name());
      if (written != null) {
        compare(written.schema(), field.schema(), newest.getName() + "." + field.name());
      }
    }
  }

  private static Iterable<Schema> branches(Schema schema) {
    return schema.getType() == Schema.Type.UNION ? schema.getTypes() : Set.of(schema);
  }

  /** Returns the branch for the values of another: the same type and name, or a promoted type. */
  private static Optional<Schema> counterpart(Schema branch, Schema newest) {
    for (Schema other : branches(newest)) {
      if (other.getType() == branch.getType() && other.getName().equals(branch.getName())) {
        return Optional.of(other);
      }
    }
    for (Schema other : branches(newest)) {
      if (SchemaCompatibility.checkReaderWriterCompatibility(other, branch).getType()
          == SchemaCompatibilityType.COMPATIBLE) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private static String written(Schema schema) {
    return schema.getLogicalType() == null ? schema.getType().getName() : schema.toString();
  }
}
