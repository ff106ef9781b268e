package io.tidemark.avro.plan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
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

  /** The maximum number of steps in which Avro's library validates all defaults of the schema. */
  private static final int MOST_STEPS = 1_000_000;

  private final GenericData model = model();
  private final Set<Schema.Field> measured = Collections.newSetFromMap(new IdentityHashMap<>());
  private int values;
  private long bytes;
  private int steps;

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
   * Returns whether Avro's library cannot read a field's default as its specification says, though
   * registries accept it: it is or contains a record that lacks a field without a default, or a
   * value of a later branch of a union, or it is a null that the library reads as an earlier branch
   * of the union. A default with an {@link #excess} is not incomplete.
   */
  public boolean isIncomplete(Schema.Field field) {
    try {
      return field.hasDefaultValue()
          && (isMisreadNull(field.schema(), field.defaultVal())
              || (excess(field).isEmpty() && isIncomplete(field.schema(), field.defaultVal())));
    } catch (RuntimeException e) {
      return true; // The library reads it as a value of the first branch.
    }
  }

  /** Returns a field's default; null if there is none, or Avro's library has no object for it. */
  public static @Nullable Object object(Schema.Field field) {
    try {
      return field.defaultVal();
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Returns whether a field may be given to Avro's library with its default. */
  public boolean mayBeRead(Schema.Field field) {
    return excess(field).isEmpty() && !isIncomplete(field);
  }

  /**
   * Returns a field's default in the form in which a new field takes it. Avro's library returns
   * bytes, and takes only their text, as in JSON.
   */
  public static @Nullable Object given(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, ISO_8859_1);
    }
    if (value instanceof Collection<?> items) {
      List<@Nullable Object> made = new ArrayList<>();
      items.forEach(item -> made.add(given(item)));
      return made;
    }
    if (value instanceof Map<?, ?> entries) {
      Map<Object, @Nullable Object> made = new LinkedHashMap<>();
      entries.forEach((key, item) -> made.put(key, given(item)));
      return made;
    }
    return value;
  }

  private static boolean isMisreadNull(Schema schema, @Nullable Object value) {
    return schema.isUnion()
        && schema.isNullable()
        && fits(Schema.Type.NULL, value)
        && branch(schema, value).filter(it -> it.getType() != Schema.Type.NULL).isPresent();
  }

  /** The values were measured, so they are neither too deep nor too many. */
  private static boolean isIncomplete(Schema schema, @Nullable Object value) {
    return switch (schema.getType()) {
      case UNION ->
          isMisreadNull(schema, value)
              || branch(schema, value).filter(it -> isIncomplete(it, value)).isPresent();
      case RECORD ->
          value instanceof Map<?, ?> given
              && schema.getFields().stream()
                  .anyMatch(
                      field ->
                          given.containsKey(field.name())
                              ? isLost(field.schema(), given.get(field.name()))
                              : !field.hasDefaultValue()
                                  || isIncomplete(field.schema(), field.defaultVal()));
      case ARRAY ->
          value instanceof Collection<?> items
              && items.stream().anyMatch(item -> isLost(schema.getElementType(), item));
      case MAP ->
          value instanceof Map<?, ?> entries
              && entries.values().stream().anyMatch(item -> isLost(schema.getValueType(), item));
      default -> false;
    };
  }

  /** In arrays, maps and records Avro's library replaces a value of a later branch by null. */
  private static boolean isLost(Schema schema, @Nullable Object value) {
    return value == null || isIncomplete(schema, value);
  }

  /** Returns why a default must not be given to Avro's library; empty if it may be given. */
  Optional<String> excess(Schema.Field field) {
    if (!field.hasDefaultValue() || measured.contains(field)) {
      return Optional.empty();
    }
    try {
      measure(field.schema(), field.defaultVal(), 1);
      boolean unused = isValid(field.schema(), field.defaultVal());
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
        Optional<Schema> branch = branch(schema, value);
        if (branch.isPresent()) {
          measure(branch.get(), value, depth + 1);
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

  /** Returns the branch as which Avro's library reads the value. */
  private static Optional<Schema> branch(Schema union, @Nullable Object value) {
    return union.getTypes().stream().filter(each -> fits(each.getType(), value)).findFirst();
  }

  /**
   * Validates a default as Avro's library does when it parses a schema: it tries each branch of a
   * union until one is valid. So its time is exponential in the depth of a default that is invalid
   * at its bottom.
   */
  private boolean isValid(Schema schema, @Nullable Object value) throws UnreadableException {
    if (++steps > MOST_STEPS) {
      throw new UnreadableException(
          "Avro's library needs more than "
              + MOST_STEPS
              + " steps to validate all defaults of the schema");
    }
    switch (schema.getType()) {
      case UNION -> {
        for (Schema branch : schema.getTypes()) {
          if (isValid(branch, value)) {
            return true;
          }
        }
        return false;
      }
      case RECORD -> {
        if (!(value instanceof Map<?, ?> given)) {
          return false;
        }
        for (Schema.Field field : schema.getFields()) {
          if (!given.containsKey(field.name()) && !field.hasDefaultValue()) {
            return false;
          }
          if (!isValid(
              field.schema(),
              given.containsKey(field.name()) ? given.get(field.name()) : field.defaultVal())) {
            return false;
          }
        }
        return true;
      }
      case ARRAY -> {
        return value instanceof Collection<?> items && areValid(schema.getElementType(), items);
      }
      case MAP -> {
        return value instanceof Map<?, ?> entries
            && areValid(schema.getValueType(), entries.values());
      }
      case INT -> {
        return value instanceof Integer;
      }
      case LONG -> {
        return value instanceof Integer || value instanceof Long;
      }
      case NULL -> {
        return value == JsonProperties.NULL_VALUE;
      }
      default -> {
        return fits(schema.getType(), value);
      }
    }
  }

  private boolean areValid(Schema schema, Collection<?> items) throws UnreadableException {
    for (Object item : items) {
      if (!isValid(schema, item)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether Avro's library may read the value as this type. */
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
