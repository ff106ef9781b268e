package io.tidemark.avro.mapping;

import io.tidemark.avro.mapping.SchemaMapper.Mapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private static final String ENUM = "enum";
  private static final String UNION = "union";
  private static final String RECURSION = "recursion";
  private static final String REFUSE = "refuse";

  private static final Map<String, List<String>> CHOICES = allChoices();
  private static final Map<String, Map<String, String>> SETS =
      Map.of(
          "as-is",
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

  private final Map<String, String> rules;
  private final boolean truncate;

  TypeRules(Map<String, String> rules, boolean truncate) {
    this.rules = rules;
    this.truncate = truncate;
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
    List<String> timestamps =
        Stream.of("timestamp-", "local-timestamp-")
            .flatMap(kind -> Stream.of("millis", "micros", "nanos").map(kind::concat))
            .toList();
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
    all.put(RECURSION, List.of(REFUSE));
    return java.util.Collections.unmodifiableMap(new LinkedHashMap<>(all));
  }

  /** Returns whether general unions become records. */
  boolean splitsUnions() {
    return rules.containsKey(UNION);
  }

  /** Returns whether records that contain themselves are refused. */
  boolean refusesRecursion() {
    return rules.containsKey(RECURSION);
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
    if (schema.getType() == Schema.Type.ENUM) {
      return rules.get(ENUM);
    }
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      return null;
    }
    String to = rules.get(type.getName());
    boolean isSame = type.getName().equals("decimal") && schema.getType().getName().equals(to);
    return isSame ? null : to;
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
