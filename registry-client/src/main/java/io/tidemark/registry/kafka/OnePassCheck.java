package io.tidemark.registry.kafka;

import java.util.IdentityHashMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds whether the bytes of a datum limit the objects that a reader creates for it. Not so for a
 * recursive schema, whose datum can overflow the stack, and for an array of records without bytes.
 * For one schema.
 */
final class OnePassCheck {
  /** Whether a value of a record has no bytes; null while its fields are examined. */
  private final IdentityHashMap<Schema, @Nullable Boolean> withoutBytes = new IdentityHashMap<>();

  private boolean bounded = true;

  private OnePassCheck() {}

  /** Returns whether a datum of the schema can be checked while it is read. */
  static boolean suffices(Schema schema) {
    OnePassCheck walk = new OnePassCheck();
    walk.hasNoBytes(schema);
    return walk.bounded;
  }

  private boolean hasNoBytes(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> true;
      case FIXED -> schema.getFixedSize() == 0;
      case RECORD -> recordHasNoBytes(schema);
      case ARRAY -> {
        Schema items = schema.getElementType();
        if (hasNoBytes(items) && items.getType() == Schema.Type.RECORD) {
          bounded = false;
        }
        yield false;
      }
      case MAP -> {
        hasNoBytes(schema.getValueType());
        yield false;
      }
      case UNION -> {
        schema.getTypes().forEach(this::hasNoBytes);
        yield false;
      }
      default -> false;
    };
  }

  private boolean recordHasNoBytes(Schema record) {
    if (withoutBytes.containsKey(record)) {
      @Nullable Boolean known = withoutBytes.get(record);
      bounded &= known != null;
      return known != null && known;
    }
    withoutBytes.put(record, null);
    boolean none = true;
    for (Schema.Field field : record.getFields()) {
      none &= hasNoBytes(field.schema());
    }
    withoutBytes.put(record, none);
    return none;
  }
}
