package io.tidemark.avro.mapping;

import io.tidemark.avro.mapping.SchemaMapper.Mapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The rules for values of a type: the choices for each, and their effect on a schema. */
public final class TypeRules {
  /** The decimal digits of a second in each unit. */
  private static final Map<String, Integer> UNITS = Map.of("millis", 3, "micros", 6, "nanos", 9);

  /** The largest precision of a decimal that becomes fixed: each value has all of its bytes. */
  private static final int MOST_DIGITS = 1000;

  private static final String ENUM = "enum";
  private static final String UNION = "union";
  private static final String RECURSION = "recursion";
  private static final String REFUSE = "refuse";
  private static final String AS_IS = "as-is";

  private static final Map<String, List<String>> CHOICES = allChoices();
  private static final Map<String, Map<String, String>> SETS =
      Map.of(
          AS_IS,
          Map.of(),
          "hive",
          Map.of(
              "timestamp-micros", "timestamp-millis",
              "timestamp-nanos", "timestamp-millis",
              "local-timestamp-millis", "timestamp-millis",
              "local-timestamp-micros", "timestamp-millis",
              "local-timestamp-nanos", "timestamp-millis",
              "decimal", "bytes",
              "uuid", "string"),
          "iceberg",
          Map.of(
              "timestamp-millis", "timestamp-micros",
              "local-timestamp-millis", "local-timestamp-micros",
              "time-millis", "time-micros",
              "enum", "string",
              "uuid", "string",
              "union", "record"));

  /** The types that a field can have which has an int, long or string without a logical type. */
  private static final Map<Schema.Type, List<String>> LABELS =
      Map.of(
          Schema.Type.INT, List.of("date", "time-millis"),
          Schema.Type.LONG, Stream.concat(Stream.of("time-micros"), timestamps()).toList(),
          Schema.Type.STRING, List.of("uuid"));

  private final Map<String, String> rules;
  private final boolean truncate;

  /** The type of the values of one field. */
  private final Optional<String> own;

  TypeRules(Map<String, String> rules, boolean truncate) {
    this(rules, truncate, Optional.empty());
  }

  private TypeRules(Map<String, String> rules, boolean truncate, Optional<String> own) {
    this.rules = rules;
    this.truncate = truncate;
    this.own = own;
  }

  /** Returns the rules for the values of a field. */
  TypeRules of(FieldRules field) {
    return field.type().isEmpty() ? this : new TypeRules(rules, truncate, field.type());
  }

  /** Returns whether fields can have a type. */
  static boolean isType(String type) {
    return type.equals(AS_IS)
        || CHOICES.entrySet().stream()
            .anyMatch(each -> !each.getKey().equals(RECURSION) && each.getValue().contains(type))
        || LABELS.values().stream().anyMatch(labels -> labels.contains(type));
  }

  /** Returns what values of each type can become. */
  public static Map<String, List<String>> choices() {
    return CHOICES;
  }

  /** Returns the rules of each set, by its name. */
  public static Map<String, Map<String, String>> sets() {
    return SETS;
  }

  private static Map<String, List<String>> allChoices() {
    Map<String, List<String>> all = new TreeMap<>();
    List<String> timestamps = timestamps().toList();
    for (String from : timestamps) {
      all.put(
          from,
          Stream.concat(timestamps.stream().filter(to -> !to.equals(from)), Stream.of("long"))
              .toList());
    }
    all.put("time-millis", List.of("time-micros", "int"));
    all.put("time-micros", List.of("time-millis", "long"));
    all.put("date", List.of("int"));
    all.put("uuid", List.of("string"));
    all.put("decimal", List.of("bytes", "fixed"));
    all.put(ENUM, List.of("string"));
    all.put(UNION, List.of("record"));
    all.put(RECURSION, List.of(REFUSE, "json"));
    return java.util.Collections.unmodifiableMap(new LinkedHashMap<>(all));
  }

  private static Stream<String> timestamps() {
    return Stream.of("timestamp-", "local-timestamp-")
        .flatMap(kind -> Stream.of("millis", "micros", "nanos").map(kind::concat));
  }

  /** Returns whether general unions become records. */
  boolean splitsUnions() {
    return own.map("record"::equals).orElse(rules.containsKey(UNION));
  }

  /** Returns whether records that contain themselves are refused. */
  boolean refusesRecursion() {
    return REFUSE.equals(rules.get(RECURSION));
  }

  /** Returns whether records in records of the same cycle become JSON. */
  boolean writesJson() {
    return "json".equals(rules.get(RECURSION));
  }

  /** Returns whether a rule changes a schema that has no parts. */
  boolean changes(Schema schema) {
    return target(schema) != null;
  }

  /** Returns whether a rule changes the encoding of a schema that has no parts. */
  boolean converts(Schema schema) {
    return target(schema) != null && mapped(schema, "Any").shift() != Shift.SAME;
  }

  private @Nullable String target(Schema schema) {
    LogicalType type = schema.getLogicalType();
    String from = schema.getType() == Schema.Type.ENUM ? ENUM : type == null ? "" : type.getName();
    String to = own.isPresent() ? ownTarget(schema, from) : rules.get(from);
    boolean isSame =
        from.equals(to) || (from.equals("decimal") && schema.getType().getName().equals(to));
    return isSame ? null : to;
  }

  private @Nullable String ownTarget(Schema schema, String from) {
    String to = own.orElseThrow();
    if (to.equals(AS_IS) || to.equals(from) || schema.getType() == Schema.Type.NULL) {
      return null;
    }
    List<String> choices =
        from.isEmpty()
            ? LABELS.getOrDefault(schema.getType(), List.of())
            : CHOICES.getOrDefault(from, List.of());
    if (!choices.contains(to)) {
      throw new UnmappableSchemaException(
          "%s%s cannot become %s%s"
              .formatted(
                  schema.getType().getName(),
                  from.isEmpty() ? "" : " " + from,
                  to,
                  choices.isEmpty() ? "" : ", only one of " + choices));
    }
    return to;
  }

  /**
   * Returns what a schema becomes that a rule changes.
   *
   * @param name the name of a new type, if one is needed
   */
  Mapped mapped(Schema schema, String name) {
    String to = java.util.Objects.requireNonNull(target(schema));
    if (schema.getType() == Schema.Type.ENUM) {
      return new Mapped(
          like(schema, Schema.create(Schema.Type.STRING)),
          new Shift.Leaf(new EnumText(schema.getEnumSymbols())));
    }
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      Schema made = like(schema, Schema.create(schema.getType()));
      made.addProp("logicalType", to);
      return new Mapped(LogicalTypes.fromSchema(made).addToSchema(made), Shift.SAME);
    }
    if (type instanceof LogicalTypes.Decimal decimal) {
      return decimal(schema, decimal, to, name);
    }
    return switch (to) {
      case "string" ->
          new Mapped(
              like(schema, Schema.create(Schema.Type.STRING)),
              schema.getType() == Schema.Type.STRING ? Shift.SAME : new Shift.Leaf(new UuidText()));
      case "int", "long" -> new Mapped(like(schema, Schema.create(schema.getType())), Shift.SAME);
      default -> time(schema, type.getName(), to);
    };
  }

  private Mapped time(Schema schema, String from, String to) {
    boolean toInt = to.equals("time-millis");
    Schema made = like(schema, Schema.create(toInt ? Schema.Type.INT : Schema.Type.LONG));
    made.addProp("logicalType", to);
    LogicalType type = LogicalTypes.fromSchema(made);
    type.addToSchema(made);
    int digits = digits(to) - digits(from);
    if (digits != 0) {
      made.addProp(SchemaMapping.CONVERTED, "unit");
    }
    return new Mapped(
        made,
        digits == 0 ? Shift.SAME : new Shift.Leaf(new Rescaled(from, to, digits, toInt, truncate)));
  }

  private static int digits(String type) {
    return UNITS.getOrDefault(type.substring(type.lastIndexOf('-') + 1), 0);
  }

  private static Mapped decimal(
      Schema schema, LogicalTypes.Decimal decimal, String to, String name) {
    if (to.equals("bytes")) {
      Schema made = like(schema, Schema.create(Schema.Type.BYTES));
      return new Mapped(decimal(decimal, made), new Shift.Leaf(DecimalWidth.fixedToBytes()));
    }
    if (decimal.getPrecision() > MOST_DIGITS) {
      throw new UnmappableSchemaException(
          "a decimal of %d digits cannot become fixed, only one of at most %d"
              .formatted(decimal.getPrecision(), MOST_DIGITS));
    }
    int size = fixedSize(decimal.getPrecision());
    int dot = name.lastIndexOf('.');
    Schema made =
        Schema.createFixed(
            name.substring(dot + 1), null, dot < 0 ? null : name.substring(0, dot), size);
    return new Mapped(
        decimal(decimal, like(schema, made)), new Shift.Leaf(DecimalWidth.bytesToFixed(size)));
  }

  private static Schema decimal(LogicalTypes.Decimal decimal, Schema made) {
    return LogicalTypes.decimal(decimal.getPrecision(), decimal.getScale()).addToSchema(made);
  }

  /** Returns the smallest number of bytes that has all decimals of a precision. */
  static int fixedSize(int precision) {
    return java.math.BigInteger.TEN.pow(precision).bitLength() / 8 + 1;
  }

  /** Gives a made schema the properties of another one, without its logical type. */
  static Schema like(Schema schema, Schema made) {
    Set<String> logical = Set.of("logicalType", "precision", "scale", "default");
    schema
        .getObjectProps()
        .forEach(
            (key, value) -> {
              if (!logical.contains(key)) {
                made.addProp(key, value);
              }
            });
    return made;
  }

  @Override
  public String toString() {
    return rules.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(","));
  }
}
