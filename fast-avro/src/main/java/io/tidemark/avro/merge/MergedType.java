package io.tidemark.avro.merge;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.avro.plan.WideDecimals;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;

/** Promotes numbers, and joins properties. Logical types must be equal. */
final class MergedType {
  private static final String REPLACED = SchemaMapping.REPLACED;
  private static final String LOGICAL_TYPE = "logicalType";
  static final String PRECISION = "precision";
  static final String SCALE = "scale";

  private MergedType() {}

  static boolean isNumber(Schema schema) {
    return switch (schema.getType()) {
      case INT, LONG, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  private static boolean isWhole(Schema number) {
    return number.getType() == Schema.Type.INT || number.getType() == Schema.Type.LONG;
  }

  /** Returns the numeric type that can read both types. */
  static Schema promote(Schema t, Schema w, String path) throws UnmergeableSchemasException {
    requireBothReplaced(t, w, path);
    if (t.getProp(LOGICAL_TYPE) != null || w.getProp(LOGICAL_TYPE) != null) {
      throw UnmergeableSchemasException.between(
          path, t, w, "a number with a logical type cannot be promoted");
    }
    if (isWhole(t) && isWhole(w)) {
      return annotated(Schema.create(Schema.Type.LONG), t);
    }
    if (t.getType() == Schema.Type.LONG) {
      throw UnmergeableSchemasException.between(
          path, t, w, "a double would round longs of the table, such as 9007199254740993");
    }
    return annotated(Schema.create(Schema.Type.DOUBLE), t);
  }

  /** Adds the properties of the table's schema to a merged schema, if the logical types agree. */
  static Schema annotated(Schema made, Schema t, List<Schema> others, String path)
      throws UnmergeableSchemasException {
    String ours = t.getProp(LOGICAL_TYPE);
    int precision = number(t, PRECISION);
    for (Schema w : others) {
      requireBothReplaced(t, w, path);
      String theirs = w.getProp(LOGICAL_TYPE);
      if ((ours == null || theirs == null) && (isConverted(t) || isConverted(w))) {
        throw UnmergeableSchemasException.between(
            path, t, w, "one of the two has been converted to another unit (types.*)");
      }
      if (ours != null && theirs != null) {
        if (!ours.equals(theirs)) {
          throw UnmergeableSchemasException.between(path, t, w, "the logical types differ");
        }
        if (ours.equals("decimal") && number(t, SCALE) != number(w, SCALE)) {
          throw UnmergeableSchemasException.between(path, t, w, "the decimals' scales differ");
        }
        precision = Math.max(precision, number(w, PRECISION));
      }
    }
    if (others.stream().anyMatch(w -> w.getProp(WideDecimals.TEXT_OF) != null)) {
      made.addProp(WideDecimals.TEXT_OF, "decimal");
    }
    if ("decimal".equals(ours)) {
      made.addProp(PRECISION, precision);
    }
    return annotated(made, t);
  }

  private static void requireBothReplaced(Schema t, Schema w, String path)
      throws UnmergeableSchemasException {
    if (!Objects.equals(t.getProp(REPLACED), w.getProp(REPLACED))) {
      throw UnmergeableSchemasException.between(
          path, t, w, "one of the two is hashed or masked (fields.hash, fields.mask)");
    }
  }

  /** Returns whether values of a schema have another unit than those of their writers. */
  static boolean isConverted(Schema schema) {
    return schema.getProp(SchemaMapping.CONVERTED) != null;
  }

  /** Adds the properties of a schema that the merged schema does not have. */
  static Schema annotated(Schema made, Schema like) {
    like.getObjectProps()
        .forEach(
            (name, value) -> {
              if (!made.propsContainsKey(name)) {
                made.addProp(name, value);
              }
            });
    // Write the default scale: Avro has a default for the scale, but Hive has none, and also reads
    // the scale from the files.
    if (isDecimal(made) && !made.propsContainsKey(SCALE)) {
      made.addProp(SCALE, 0);
    }
    return made;
  }

  static boolean isDecimal(Schema schema) {
    return (schema.getType() == Schema.Type.BYTES || schema.getType() == Schema.Type.FIXED)
        && "decimal".equals(schema.getProp(LOGICAL_TYPE));
  }

  /** Returns a number among the properties of a schema; 0 if there is none. */
  static int number(Schema schema, String property) {
    return schema.getObjectProp(property) instanceof Number number ? number.intValue() : 0;
  }
}
