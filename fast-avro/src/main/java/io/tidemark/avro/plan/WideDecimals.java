package io.tidemark.avro.plan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.avro.plan.step.DecimalBytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Replaces decimals of bytes that have a larger precision than a reader supports. A {@link Planner}
 * converts datums to the replacement: it writes the text, or rejects numbers with more digits.
 * Decimals of fixed types, and those with a negative or large scale, stay.
 */
public final class WideDecimals {
  /** The property of a reader's string that has decimals as texts; the value is {@code decimal}. */
  public static final String TEXT_OF = "tidemark.text.of";

  private static final int MOST_SCALE = 1000;

  private final int precision;
  private final boolean asText;
  private final Map<String, Schema> records = new HashMap<>();

  private WideDecimals(int precision, boolean asText) {
    this.precision = precision;
    this.asText = asText;
  }

  /** Returns a schema in which decimals of more than {@code precision} digits are strings. */
  public static Schema asText(Schema schema, int precision) {
    return new WideDecimals(precision, true).of(schema);
  }

  /** Returns a schema in which no decimal has more than {@code precision} digits. */
  public static Schema narrowed(Schema schema, int precision) {
    return new WideDecimals(precision, false).of(schema);
  }

  private Schema of(Schema schema) {
    return has(schema, new HashSet<>()) ? replaced(schema) : schema;
  }

  private Optional<LogicalTypes.Decimal> wide(Schema schema) {
    return schema.getType() == Schema.Type.BYTES
            && schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
            && decimal.getPrecision() > precision
            && decimal.getScale() >= 0
            && decimal.getScale() <= (asText ? MOST_SCALE : precision)
        ? Optional.of(decimal)
        : Optional.empty();
  }

  private boolean has(Schema schema, Set<String> seen) {
    return switch (schema.getType()) {
      case BYTES -> wide(schema).isPresent();
      case ARRAY -> has(schema.getElementType(), seen);
      case MAP -> has(schema.getValueType(), seen);
      case UNION -> schema.getTypes().stream().anyMatch(branch -> has(branch, seen));
      case RECORD ->
          seen.add(schema.getFullName())
              && schema.getFields().stream().anyMatch(field -> has(field.schema(), seen));
      default -> false;
    };
  }

  private Schema replaced(Schema schema) {
    return switch (schema.getType()) {
      case BYTES -> wide(schema).map(this::replacement).orElse(schema);
      case ARRAY -> like(schema, Schema.createArray(replaced(schema.getElementType())));
      case MAP -> like(schema, Schema.createMap(replaced(schema.getValueType())));
      case UNION -> union(schema);
      case RECORD -> record(schema);
      default -> schema;
    };
  }

  private Schema replacement(LogicalTypes.Decimal decimal) {
    Schema text = Schema.create(Schema.Type.STRING);
    text.addProp(TEXT_OF, "decimal");
    return asText
        ? text
        : LogicalTypes.decimal(precision, decimal.getScale())
            .addToSchema(Schema.create(Schema.Type.BYTES));
  }

  /** A union that already has strings keeps its decimal. */
  private Schema union(Schema union) {
    boolean hasString =
        union.getTypes().stream().anyMatch(branch -> branch.getType() == Schema.Type.STRING);
    List<Schema> branches = new ArrayList<>();
    for (Schema branch : union.getTypes()) {
      branches.add(asText && hasString && wide(branch).isPresent() ? branch : replaced(branch));
    }
    return like(union, Schema.createUnion(branches));
  }

  private Schema record(Schema schema) {
    Schema known = records.get(schema.getFullName());
    if (known != null) {
      return known;
    }
    Schema record =
        Schema.createRecord(
            schema.getName(), schema.getDoc(), schema.getNamespace(), schema.isError());
    records.put(schema.getFullName(), record);
    schema.getAliases().forEach(record::addAlias);
    List<Schema.Field> fields = new ArrayList<>();
    schema.getFields().forEach(field -> fields.add(field(field)));
    record.setFields(fields);
    return like(schema, record);
  }

  private Schema.Field field(Schema.Field field) {
    Schema replaced = replaced(field.schema());
    boolean isIncomplete = new FieldDefaults().isIncomplete(field);
    boolean isText = asText && !isIncomplete && hasDecimalDefault(field);
    if (!isText && !isIncomplete) {
      return new Schema.Field(field, replaced);
    }
    @Nullable String text = isText ? text(field).orElse(null) : null;
    Schema.Field made = new Schema.Field(field.name(), replaced, field.doc(), text, field.order());
    field.aliases().forEach(made::addAlias);
    field.getObjectProps().forEach(made::addProp);
    return made;
  }

  private boolean hasDecimalDefault(Schema.Field field) {
    return field.hasDefaultValue()
        && field.defaultVal() != JsonProperties.NULL_VALUE
        && !(field.defaultVal() instanceof Collection<?> items && items.isEmpty())
        && !(field.defaultVal() instanceof Map<?, ?> entries && entries.isEmpty())
        && has(field.schema(), new HashSet<>());
  }

  /** Returns the text of a default that is a decimal. One that contains decimals is dropped. */
  private Optional<String> text(Schema.Field field) {
    if (!(field.defaultVal() instanceof byte[] bytes)) {
      return Optional.empty();
    }
    List<Schema> branches =
        field.schema().isUnion() ? field.schema().getTypes() : List.of(field.schema());
    return branches.stream()
        .flatMap(branch -> wide(branch).stream())
        .map(decimal -> DecimalBytes.text(bytes, 0, bytes.length, decimal.getScale()))
        .map(text -> new String(text, US_ASCII))
        .findFirst();
  }

  private static Schema like(Schema schema, Schema made) {
    if (!schema.isUnion()) {
      schema.getObjectProps().forEach(made::addProp);
    }
    return made;
  }
}
