package io.tidemark.avro.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * Checks the size of a schema's field defaults before Avro's library reads them. {@link Planner}
 * does this for each plan. Programs that pass schemas from others to Avro's library can do it, too.
 * Not thread-safe.
 *
 * <p>A small schema can contain an infinite default: record A has a field of type A with the
 * default <code>{}</code>. It can also contain a default that is larger than the heap. Avro's
 * library overflows the stack on the first, and the heap on the second.
 */
public final class FieldDefaults {
  private static final int MOST_DEEP = 200;

  /** The maximum number of values of all fields of the schema together. */
  private static final int MOST_VALUES = 100_000;

  private static final long MOST_BYTES = 16 << 20;

  private final GenericData model = model();
  private final Set<Schema.Field> measured = Collections.newSetFromMap(new IdentityHashMap<>());
  private int values;
  private long bytes;

  /** A default that cannot be read. */
  private static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Returns Avro's model of generic data without its fast reader. That reader treats each string of
   * a schema with {@code java-class} as a {@link String}, and fails.
   */
  private static GenericData model() {
    var model = new GenericData();
    model.setFastReaderEnabled(false);
    return model;
  }

  /** Returns the model that {@link #value} uses. */
  GenericData genericData() {
    return model;
  }

  /**
   * Returns an error message if a field's default cannot be read. Returns empty if the default can
   * be read, or if there is no default.
   */
  public Optional<String> fault(Schema.Field field) {
    if (!field.hasDefaultValue()) {
      return Optional.empty();
    }
    Optional<String> excess = excess(field);
    if (excess.isPresent()) {
      return excess;
    }
    try {
      model.getDefaultValue(field);
      return Optional.empty();
    } catch (RuntimeException
        | StackOverflowError e) { // Among others a cast, an index or a number.
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns whether a field's default is a record, or contains one, that lacks a field without a
   * default. Avro's library rejects such defaults, while registries accept them.
   */
  public static boolean isIncomplete(Schema.Field field) {
    return field.hasDefaultValue() && isIncomplete(field.schema(), field.defaultVal(), 1);
  }

  private static boolean isIncomplete(Schema schema, @Nullable Object value, int depth) {
    if (depth > MOST_DEEP) {
      return false;
    }
    return switch (schema.getType()) {
      case UNION ->
          schema.getTypes().stream()
              .filter(
                  branch ->
                      switch (branch.getType()) {
                        case RECORD, MAP -> value instanceof Map<?, ?>;
                        case ARRAY -> value instanceof Collection<?>;
                        default -> false;
                      })
              .findFirst()
              .filter(branch -> isIncomplete(branch, value, depth + 1))
              .isPresent();
      case RECORD ->
          value instanceof Map<?, ?> given
              && schema.getFields().stream()
                  .anyMatch(
                      field ->
                          given.containsKey(field.name())
                              ? isIncomplete(field.schema(), given.get(field.name()), depth + 1)
                              : !field.hasDefaultValue()
                                  || isIncomplete(field.schema(), field.defaultVal(), depth + 1));
      case ARRAY ->
          value instanceof Collection<?> items
              && items.stream().anyMatch(i -> isIncomplete(schema.getElementType(), i, depth + 1));
      case MAP ->
          value instanceof Map<?, ?> entries
              && entries.values().stream()
                  .anyMatch(i -> isIncomplete(schema.getValueType(), i, depth + 1));
      default -> false;
    };
  }

  /** Returns why a default must not be given to Avro's library; empty if it may be given. */
  Optional<String> excess(Schema.Field field) {
    if (!field.hasDefaultValue() || measured.contains(field)) {
      return Optional.empty();
    }
    try {
      measure(field.schema(), field.defaultVal(), 1);
    } catch (UnreadableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The default is not of its type: the error is found when it is read.
    }
    measured.add(field);
    return Optional.empty();
  }

  /** Returns the default of a field that has one and no {@link #fault}. */
  @Nullable Object value(Schema.Field field) {
    return model.getDefaultValue(field);
  }

  private void measure(Schema schema, @Nullable Object value, int depth)
      throws UnreadableException {
    if (depth > MOST_DEEP) {
      throw new UnreadableException(
          "it contains itself, or is nested deeper than " + MOST_DEEP + " values");
    }
    if (++values > MOST_VALUES) {
      throw new UnreadableException(
          "all defaults of the schema together have more than " + MOST_VALUES + " values");
    }
    switch (schema.getType()) {
      case UNION -> {
        for (Schema branch : schema.getTypes()) {
          if (fits(branch.getType(), value)) {
            measure(branch, value, depth + 1);
            break;
          }
        }
      }
      case RECORD -> measureFields(schema, value, depth);
      case ARRAY -> measureAll(schema.getElementType(), value, depth);
      case MAP -> measureAll(schema.getValueType(), value, depth);
      case FIXED -> add(schema.getFixedSize());
      default ->
          add(
              value instanceof String text
                  ? text.length()
                  : value instanceof byte[] binary ? binary.length : 0);
    }
  }

  /** Returns whether a branch takes the value: Avro's library uses the first such branch. */
  private static boolean fits(Schema.Type branch, @Nullable Object value) {
    return switch (branch) {
      case NULL -> value == null || value == JsonProperties.NULL_VALUE;
      case BOOLEAN -> value instanceof Boolean;
      case INT, LONG, FLOAT, DOUBLE -> value instanceof Number;
      case STRING, BYTES, FIXED, ENUM -> value instanceof String || value instanceof byte[];
      default -> true;
    };
  }

  /** Measures a record. A field that the value lacks gets the field's own default. */
  private void measureFields(Schema record, @Nullable Object value, int depth)
      throws UnreadableException {
    Map<?, ?> given = value instanceof Map<?, ?> fields ? fields : Map.of();
    for (Schema.Field field : record.getFields()) {
      if (given.containsKey(field.name())) {
        measure(field.schema(), given.get(field.name()), depth + 1);
      } else if (field.hasDefaultValue()) {
        measure(field.schema(), field.defaultVal(), depth + 1);
      }
    }
  }

  private void measureAll(Schema schema, @Nullable Object value, int depth)
      throws UnreadableException {
    Collection<?> items =
        value instanceof Map<?, ?> entries
            ? entries.values()
            : value instanceof Collection<?> elements ? elements : List.of();
    for (Object item : items) {
      measure(schema, item, depth + 1);
    }
  }

  private void add(int count) throws UnreadableException {
    bytes += count;
    if (bytes > MOST_BYTES) {
      throw new UnreadableException(
          "all defaults of the schema together have more than " + MOST_BYTES + " bytes");
    }
  }
}
