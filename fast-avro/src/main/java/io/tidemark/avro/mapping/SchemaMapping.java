package io.tidemark.avro.mapping;

import io.tidemark.avro.mapping.FieldRules.Exclude;
import io.tidemark.avro.mapping.FieldRules.FieldRule;
import io.tidemark.avro.mapping.FieldRules.Hash;
import io.tidemark.avro.mapping.FieldRules.Mask;
import io.tidemark.avro.mapping.FieldRules.To;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.WideDecimals;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;

/**
 * Rules that change writer schemas, and the plans that convert their datums. Immutable.
 *
 * <pre>{@code
 * var mapping = SchemaMapping.builder().type("enum", "string").exclude("customer.note").build();
 * Schema mapped = mapping.schema(writer);
 * Plan plan = mapping.plan(writer, mapped, List.of());
 * }</pre>
 *
 * <p>A value is converted exactly, or its datum is rejected. Where a rule only changes the name of
 * a logical type, the datum's bytes stay. A writer schema to which no rule applies has the plan
 * that {@link Planner} creates.
 */
public final class SchemaMapping {
  /** The mapping without rules. */
  public static final SchemaMapping NONE = builder().build();

  /**
   * The property of a schema whose values are replaced; the value is {@code hash} or {@code mask}.
   */
  public static final String REPLACED = "tidemark.replaced";

  /**
   * The property of a number that a rule has converted to another unit; the value is {@code unit}.
   * A number without its logical type may have the unit of the writers.
   */
  public static final String CONVERTED = "tidemark.converted";

  private final Map<String, String> types;
  private final boolean truncate;
  private final boolean round;
  private final boolean unwrap;
  private final FieldRules fields;
  private final int mostDigits;
  private final boolean decimalsAsText;

  private SchemaMapping(Builder builder) {
    types = Map.copyOf(builder.types);
    truncate = builder.truncate;
    round = builder.round;
    unwrap = builder.unwrap;
    fields = builder.fields;
    mostDigits = builder.mostDigits;
    decimalsAsText = builder.decimalsAsText;
  }

  /** Creates mappings. Not thread-safe. */
  public static final class Builder {
    private final Map<String, String> types = new TreeMap<>();
    private boolean truncate;
    private boolean round;
    private boolean unwrap;
    private FieldRules fields = FieldRules.NONE;
    private int mostDigits = Integer.MAX_VALUE;
    private boolean decimalsAsText;

    private Builder() {}

    /**
     * Adds a rule for all values of a type.
     *
     * @param from one of the keys of {@link TypeRules#choices}
     * @param to one of its values
     */
    public Builder type(String from, String to) {
      List<String> choices = TypeRules.choices().get(from);
      if (choices == null || !choices.contains(to)) {
        throw new IllegalArgumentException(
            choices == null
                ? "no rule for the type %s, only for %s"
                    .formatted(from, TypeRules.choices().keySet())
                : "%s becomes one of %s, not %s".formatted(from, choices, to));
      }
      types.put(from, to);
      return this;
    }

    /** Adds the rules of a {@linkplain TypeRules#sets set} for types that have none yet. */
    public Builder set(String name) {
      Map<String, String> rules = TypeRules.sets().get(name);
      if (rules == null) {
        throw new IllegalArgumentException(
            "no set of rules %s, only %s".formatted(name, TypeRules.sets().keySet()));
      }
      rules.forEach(types::putIfAbsent);
      return this;
    }

    /**
     * Rounds times down that a larger unit has not exactly. By default their datums are rejected.
     */
    public Builder truncate() {
      truncate = true;
      return this;
    }

    /** Converts a whole number to the nearest float or double. By default it must be the same. */
    public Builder round() {
      round = true;
      return this;
    }

    /**
     * Maps Debezium's changes to the rows that they change. The other rules apply to the row: its
     * columns, and those with {@code cdc_} before their names, such as {@code cdc_op}, {@code
     * cdc_ts_ms} and {@code cdc_source_lsn}. Debezium's own types become Avro's logical types.
     */
    public Builder unwrap() {
      unwrap = true;
      return this;
    }

    /**
     * Replaces decimals of bytes that have a larger precision, as {@link WideDecimals} does.
     *
     * @param asText whether they become strings; otherwise they get this precision
     */
    public Builder decimals(int precision, boolean asText) {
      mostDigits = precision;
      decimalsAsText = asText;
      return this;
    }

    /**
     * Leaves a field out.
     *
     * @param path the dotted path of the field, through records, nullable records, and the items
     *     and values of arrays and maps. A field that a schema lacks is ignored
     */
    public Builder exclude(String path) {
      return field(path, new Exclude());
    }

    /** Leaves out every field that is not included, does not contain and is not in such a field. */
    public Builder include(String path) {
      return fields(path, rules -> rules.including(path));
    }

    /** Replaces a field by the SHA-256 of the salt and its value, as 64 hexadecimal digits. */
    public Builder hash(String path, String salt) {
      return field(path, new Hash(new Salt(salt)));
    }

    /** Replaces a text, bytes or symbol by a text, and a number or boolean by zero or false. */
    public Builder mask(String path, String text) {
      return field(path, new Mask(text));
    }

    /**
     * Adds a rule for the values of one field, in place of those for their type.
     *
     * @param to a choice for the type of the values, or {@code as-is}. An int, long or string
     *     without a logical type can get one, such as {@code timestamp-millis}
     */
    public Builder fieldType(String path, String to) {
      if (!TypeRules.isType(to)) {
        throw new IllegalArgumentException("no field can have the type \"%s\"".formatted(to));
      }
      return field(path, new To(to));
    }

    private Builder field(String path, FieldRule rule) {
      return fields(path, rules -> rules.with(path, rule));
    }

    private Builder fields(String path, UnaryOperator<FieldRules> change) {
      if (path.isEmpty() || path.startsWith(".") || path.endsWith(".") || path.contains("..")) {
        throw new IllegalArgumentException("\"%s\" is not the path of a field".formatted(path));
      }
      try {
        fields = change.apply(fields);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("field \"%s\": %s".formatted(path, e.getMessage()), e);
      }
      return this;
    }

    public SchemaMapping build() {
      return new SchemaMapping(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns whether the schemas that are resolved are those of the writers. */
  private boolean keepsWriters() {
    return types.isEmpty() && fields.equals(FieldRules.NONE) && !unwrap && !round;
  }

  /**
   * Returns the schema that a writer schema becomes; the same object if no rule applies to it.
   *
   * @throws UnmappableSchemaException if a rule cannot be applied
   */
  public Schema schema(Schema writer) {
    Schema mapped =
        keepsWriters() ? writer : mapped(unwrap ? Envelope.of(writer).row() : writer).schema();
    return mostDigits == Integer.MAX_VALUE
        ? mapped
        : decimalsAsText
            ? WideDecimals.asText(mapped, mostDigits)
            : WideDecimals.narrowed(mapped, mostDigits);
  }

  /**
   * Returns the plan that converts datums of a writer schema to the mapped schema and resolves that
   * to a reader schema, in one step.
   *
   * @throws UnmappableSchemaException if a rule cannot be applied, or its result would have to be
   *     converted again
   * @throws IncompatibleSchemasException if the mapped schema cannot be resolved to the reader
   *     schema
   * @throws IllegalArgumentException if a path does not lead to a field of the reader schema
   */
  public Plan plan(Schema writer, Schema table, List<String> fieldPaths) {
    if (keepsWriters()) {
      return Planner.plan(writer, table, fieldPaths);
    }
    Optional<Envelope> envelope = unwrap ? Optional.of(Envelope.of(writer)) : Optional.empty();
    SchemaMapper.Mapped mapped = mapped(envelope.map(Envelope::row).orElse(writer));
    StepTree then = Planner.plan(mapped.schema(), table, fieldPaths).steps();
    if (envelope.isPresent() || mapped.shift() != Shift.SAME) {
      StepTree check = Planner.plan(writer, writer, List.of()).steps();
      then =
          envelope.isPresent()
              ? StepComposer.compose(envelope.get(), mapped.shift(), check, then)
              : StepComposer.compose(mapped.shift(), check, then);
    }
    return new Plan(writer, table, fieldPaths, round ? Rounding.of(then) : then, toString());
  }

  private SchemaMapper.Mapped mapped(Schema writer) {
    return new SchemaMapper(new TypeRules(types, truncate), fields).map(writer);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SchemaMapping mapping
        && mapping.types.equals(types)
        && mapping.truncate == truncate
        && mapping.round == round
        && mapping.unwrap == unwrap
        && mapping.mostDigits == mostDigits
        && mapping.decimalsAsText == decimalsAsText
        && mapping.fields.equals(fields);
  }

  @Override
  public int hashCode() {
    return types.hashCode() + 31 * fields.hashCode();
  }

  /** Returns all rules; of a salt only a hash. */
  @Override
  public String toString() {
    var rules = new ArrayList<String>();
    new TreeMap<>(types).forEach((from, to) -> rules.add(from + "=" + to));
    if (truncate) {
      rules.add("truncate");
    }
    if (round) {
      rules.add("round");
    }
    if (unwrap) {
      rules.add("unwrap");
    }
    addFields("", fields, rules);
    return rules.toString();
  }

  private static void addFields(String path, FieldRules rules, List<String> texts) {
    rules.rule().ifPresent(rule -> texts.add(path + ":" + text(rule)));
    if (rules.included()) {
      texts.add(path + ":Include[]");
    }
    rules
        .below()
        .forEach(
            (name, below) -> addFields(path.isEmpty() ? name : path + '.' + name, below, texts));
  }

  private static String text(FieldRule rule) {
    return rule instanceof Hash hash ? "Hash[" + hash.salt().identity() + "]" : rule.toString();
  }
}
