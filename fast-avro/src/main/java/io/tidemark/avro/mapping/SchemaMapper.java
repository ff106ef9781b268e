package io.tidemark.avro.mapping;

import io.tidemark.avro.mapping.FieldRules.Hash;
import io.tidemark.avro.mapping.FieldRules.Mask;
import io.tidemark.avro.mapping.Shift.Branch;
import io.tidemark.avro.plan.step.Conversion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/** Applies rules to a writer schema. Used for one schema. */
final class SchemaMapper {
  private final TypeRules types;
  private final FieldRules fields;

  /** The rules of each record's fields, by its full name. They are the same in all its places. */
  private final Map<String, FieldRules> rulesOf = new HashMap<>();

  private final Map<String, Mapped> records = new HashMap<>();
  private final Map<String, Boolean> changed = new HashMap<>();
  private final Map<String, Boolean> converted = new HashMap<>();

  /** The names of all types, also of those that are made. */
  private final Set<String> madeNames = new HashSet<>();

  /** The record whose fields are being mapped. */
  private Optional<Schema> within = Optional.empty();

  /** A mapped schema, and how the encoding changes. */
  record Mapped(Schema schema, Shift shift) {}

  SchemaMapper(TypeRules types, FieldRules fields) {
    this.types = types;
    this.fields = fields;
  }

  Mapped map(Schema schema) {
    findPlaces(schema, fields, "", new HashSet<>());
    return mapped(schema, fields, schema.getFullName());
  }

  /** Notes the rules of each record, which must be the same wherever it occurs. */
  private void findPlaces(Schema schema, FieldRules rules, String path, Set<String> open) {
    switch (schema.getType()) {
      case ARRAY -> findPlaces(schema.getElementType(), rules, path, open);
      case MAP -> findPlaces(schema.getValueType(), rules, path, open);
      case UNION ->
          schema.getTypes().forEach(branch -> findPlaces(branch, inUnion(rules), path, open));
      case RECORD -> {
        String name = schema.getFullName();
        madeNames.add(name);
        requireTypeOf(schema, rules, path);
        if (open.contains(name) && types.refusesRecursion()) {
          throw new UnmappableSchemaException(
              "field \"%s\": the record %s contains itself, which the rules do not permit"
                  .formatted(path, name));
        }
        FieldRules known = rulesOf.putIfAbsent(name, rules);
        if (known != null && !sameBelow(known, rules)) {
          throw new UnmappableSchemaException(
              "field \"%s\": the record %s is also in another place, where other rules apply to its fields. Name its fields in all places"
                  .formatted(path, name));
        }
        if (known == null) {
          open.add(name);
          for (Schema.Field field : schema.getFields()) {
            if (!rules.omits(field.name())) {
              findPlaces(
                  field.schema(),
                  rules.of(field.name()),
                  path.isEmpty() ? field.name() : path + '.' + field.name(),
                  open);
            }
          }
          open.remove(name);
        }
      }
      default -> {
        madeNames.add(schema.getFullName());
        requireTypeOf(schema, rules, path);
      }
    }
  }

  /** Requires that the type that a field shall have is one that its values can have. */
  private void requireTypeOf(Schema schema, FieldRules rules, String path) {
    try {
      boolean unused = types.of(rules).converts(schema);
    } catch (UnmappableSchemaException e) {
      throw new UnmappableSchemaException("field \"%s\": %s".formatted(path, e.getMessage()));
    }
  }

  /** Returns the rules for the branches of a union, which may itself become a record. */
  private FieldRules inUnion(FieldRules rules) {
    return rules.type().isPresent() && types.of(rules).splitsUnions() ? rules.inside() : rules;
  }

  private static boolean sameBelow(FieldRules one, FieldRules other) {
    return one.below().equals(other.below()) && one.only() == other.only();
  }

  private Mapped mapped(Schema schema, FieldRules rules, String place) {
    if (rules.replaces() && !schema.isUnion()) {
      return replaced(schema, rules, place);
    }
    return switch (schema.getType()) {
      case ARRAY -> {
        Mapped items = mapped(schema.getElementType(), rules, place);
        yield isSame(items.schema(), schema.getElementType())
            ? new Mapped(schema, Shift.SAME)
            : new Mapped(like(schema, Schema.createArray(items.schema())), ofItems(items.shift()));
      }
      case MAP -> {
        Mapped values = mapped(schema.getValueType(), rules, place);
        yield isSame(values.schema(), schema.getValueType())
            ? new Mapped(schema, Shift.SAME)
            : new Mapped(like(schema, Schema.createMap(values.schema())), ofItems(values.shift()));
      }
      case UNION -> union(schema, rules, place);
      case RECORD ->
          within.isPresent() && isJson(within.get(), schema) ? json(schema) : record(schema, rules);
      default ->
          types.of(rules).changes(schema)
              ? withAliases(schema, types.of(rules).mapped(schema, madeName(schema, place)))
              : new Mapped(schema, Shift.SAME);
    };
  }

  /** Returns whether a record becomes JSON in another one: each of them contains the other. */
  private boolean isJson(Schema outer, Schema inner) {
    return types.writesJson()
        && contains(inner, outer.getFullName(), new HashSet<>())
        && contains(outer, inner.getFullName(), new HashSet<>());
  }

  /** Returns whether a record occurs in a schema, or in itself if it is the schema. */
  static boolean contains(Schema schema, String record, Set<String> visited) {
    return switch (schema.getType()) {
      case ARRAY -> isOrContains(schema.getElementType(), record, visited);
      case MAP -> isOrContains(schema.getValueType(), record, visited);
      case UNION ->
          schema.getTypes().stream().anyMatch(branch -> isOrContains(branch, record, visited));
      case RECORD ->
          visited.add(schema.getFullName())
              && schema.getFields().stream()
                  .anyMatch(field -> isOrContains(field.schema(), record, visited));
      default -> false;
    };
  }

  private static boolean isOrContains(Schema schema, String record, Set<String> visited) {
    return (schema.getType() == Schema.Type.RECORD && schema.getFullName().equals(record))
        || contains(schema, record, visited);
  }

  private Mapped json(Schema record) {
    requireNoRules(record, record.getFullName(), new HashSet<>());
    return new Mapped(Schema.create(Schema.Type.STRING), new Shift.Leaf(new JsonText(record)));
  }

  /** Requires that no rule hides a value that the JSON would show. */
  private void requireNoRules(Schema schema, String json, Set<String> visited) {
    switch (schema.getType()) {
      case ARRAY -> requireNoRules(schema.getElementType(), json, visited);
      case MAP -> requireNoRules(schema.getValueType(), json, visited);
      case UNION -> schema.getTypes().forEach(branch -> requireNoRules(branch, json, visited));
      case RECORD -> {
        FieldRules rules = rulesOf.getOrDefault(schema.getFullName(), FieldRules.NONE);
        if (!rules.below().isEmpty() || rules.only()) {
          throw new UnmappableSchemaException(
              "the record %s is in JSON of %s, so its fields cannot have rules"
                  .formatted(schema.getFullName(), json));
        }
        if (visited.add(schema.getFullName())) {
          schema.getFields().forEach(field -> requireNoRules(field.schema(), json, visited));
        }
      }
      default -> {}
    }
  }

  private static Shift ofItems(Shift shift) {
    return shift == Shift.SAME ? shift : new Shift.Items(shift);
  }

  /** Returns the name of a type that is made in a place, if one is made. */
  private String madeName(Schema schema, String place) {
    if (schema.getType() != Schema.Type.BYTES && !schema.isUnion()) {
      return place;
    }
    String free = place;
    for (int i = 2; !madeNames.add(free); i++) {
      free = place + "_" + i;
    }
    return free;
  }

  private Mapped withAliases(Schema schema, Mapped mapped) {
    if (schema.getType() == Schema.Type.BYTES && mapped.schema().getType() == Schema.Type.FIXED) {
      addAliases(mapped.schema());
    }
    return mapped;
  }

  /** Gives a made type the names that it has in records with the former names of its record. */
  private void addAliases(Schema made) {
    within.ifPresent(
        record -> {
          String end = made.getFullName().substring(record.getFullName().length());
          record.getAliases().forEach(former -> made.addAlias(former + end));
        });
  }

  private static Mapped replaced(Schema schema, FieldRules rules, String place) {
    if (schema.getType() == Schema.Type.NULL) {
      return new Mapped(schema, Shift.SAME);
    }
    if (rules.rule().orElseThrow() instanceof Hash hash) {
      if (!HashText.takes(schema)) {
        throw new UnmappableSchemaException(
            "%s: %s cannot be hashed, only text, bytes, a whole number or an enum"
                .formatted(place, schema.getType().getName()));
      }
      return replaced(Schema.Type.STRING, "hash", new HashText(hash.salt(), schema));
    }
    String mask = ((Mask) rules.rule().orElseThrow()).text();
    return switch (schema.getType()) {
      case STRING, BYTES, FIXED, ENUM ->
          replaced(Schema.Type.STRING, "mask", new Masked(EnumText.encoded(mask)));
      case BOOLEAN, INT, LONG -> replaced(schema.getType(), "mask", new Masked(new byte[1]));
      case FLOAT -> replaced(schema.getType(), "mask", new Masked(new byte[Float.BYTES]));
      case DOUBLE -> replaced(schema.getType(), "mask", new Masked(new byte[Double.BYTES]));
      default ->
          throw new UnmappableSchemaException(
              "%s: %s cannot be masked, only text, bytes, an enum, a number or a boolean"
                  .formatted(place, schema.getType().getName()));
    };
  }

  private static Mapped replaced(Schema.Type type, String how, Conversion conversion) {
    Schema made = Schema.create(type);
    made.addProp(SchemaMapping.REPLACED, how);
    return new Mapped(made, new Shift.Leaf(conversion));
  }

  private Mapped union(Schema union, FieldRules rules, String place) {
    List<Schema> made = new ArrayList<>();
    List<Branch> branches = new ArrayList<>();
    boolean isSame = true;
    boolean isChanged = false;
    boolean splits = types.of(rules).splitsUnions();
    for (Schema branch : union.getTypes()) {
      Mapped mapped = mapped(branch, inUnion(rules), place);
      int target = made.indexOf(mapped.schema());
      if (target < 0) {
        target = made.size();
        made.add(mapped.schema());
      }
      isChanged |= !isSame(mapped.schema(), branch);
      isSame &= mapped.shift() == Shift.SAME && target == branches.size();
      branches.add(new Branch(target, mapped.shift()));
    }
    boolean nullable = made.stream().anyMatch(SchemaMapper::isNull);
    if (splits && made.size() > (nullable ? 2 : 1)) {
      return unionRecord(made, branches, nullable, madeName(union, place + "_union"));
    }
    requireDifferent(made, place);
    if (!isChanged) {
      return new Mapped(union, isSame ? Shift.SAME : new Shift.Union(branches));
    }
    return new Mapped(Schema.createUnion(made), isSame ? Shift.SAME : new Shift.Union(branches));
  }

  private static boolean isNull(Schema schema) {
    return schema.getType() == Schema.Type.NULL;
  }

  private static void requireDifferent(List<Schema> branches, String place) {
    Set<String> names = new HashSet<>();
    for (Schema branch : branches) {
      if (!names.add(branch.getFullName())) {
        throw new UnmappableSchemaException(
            "%s: two branches of its union would become %s".formatted(place, branch.getFullName()));
      }
    }
  }

  private Mapped unionRecord(
      List<Schema> made, List<Branch> branches, boolean nullable, String name) {
    int dot = name.lastIndexOf('.');
    Schema record =
        Schema.createRecord(
            name.substring(dot + 1), null, dot < 0 ? null : name.substring(0, dot), false);
    List<Schema.Field> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int[] targets = new int[made.size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = isNull(made.get(i)) ? Shift.UnionRecord.NULL : members.size();
      if (!isNull(made.get(i))) {
        String member = made.get(i).getName();
        if (!names.add(member)) {
          throw new UnmappableSchemaException(
              "%s: two branches of its union have the name %s".formatted(name, member));
        }
        members.add(
            new Schema.Field(
                member,
                Schema.createUnion(Schema.create(Schema.Type.NULL), made.get(i)),
                null,
                Schema.Field.NULL_DEFAULT_VALUE));
      }
    }
    record.setFields(members);
    addAliases(record);
    return new Mapped(
        nullable ? Schema.createUnion(Schema.create(Schema.Type.NULL), record) : record,
        new Shift.UnionRecord(
            nullable,
            branches.stream()
                .map(branch -> new Branch(targets[branch.target()], branch.shift()))
                .toList()));
  }

  private Mapped record(Schema schema, FieldRules rules) {
    String name = schema.getFullName();
    Mapped known = records.get(name);
    if (known != null) {
      return known;
    }
    if (!reaches(schema, rules, false)) {
      return new Mapped(schema, Shift.SAME);
    }
    Schema record =
        Schema.createRecord(
            schema.getName(), schema.getDoc(), schema.getNamespace(), schema.isError());
    Shift.Fields shift = new Shift.Fields();
    Mapped mapped = new Mapped(record, reaches(schema, rules, true) ? shift : Shift.SAME);
    records.put(name, mapped);
    schema.getAliases().forEach(record::addAlias);
    List<Schema.Field> made = new ArrayList<>();
    Optional<Schema> around = within;
    within = Optional.of(schema);
    for (Schema.Field field : schema.getFields()) {
      if (rules.omits(field.name())) {
        shift.each.add(Optional.empty());
      } else {
        Mapped inner = mapped(field.schema(), rules.of(field.name()), name + "_" + field.name());
        shift.each.add(Optional.of(inner.shift()));
        made.add(MappedDefault.field(field, inner));
      }
    }
    within = around;
    if (made.isEmpty() && !schema.getFields().isEmpty()) {
      throw new UnmappableSchemaException("the record %s would have no field".formatted(name));
    }
    record.setFields(made);
    like(schema, record);
    return mapped;
  }

  /**
   * Returns whether a rule changes something in a schema.
   *
   * @param encoding whether only changes of the encoding count
   */
  private boolean reaches(Schema record, FieldRules rules, boolean encoding) {
    Map<String, Boolean> known = encoding ? converted : changed;
    Boolean before = known.get(record.getFullName());
    if (before != null) {
      return before;
    }
    boolean reached = reaches(record, rules, encoding, new HashSet<>());
    known.put(record.getFullName(), reached);
    return reached;
  }

  private boolean reaches(Schema schema, FieldRules rules, boolean encoding, Set<String> visited) {
    if (rules.replaces() && !schema.isUnion()) {
      return !isNull(schema);
    }
    return switch (schema.getType()) {
      case ARRAY -> reaches(schema.getElementType(), rules, encoding, visited);
      case MAP -> reaches(schema.getValueType(), rules, encoding, visited);
      case UNION ->
          (types.of(rules).splitsUnions()
                  && schema.getTypes().stream().filter(branch -> !isNull(branch)).count() > 1)
              || schema.getTypes().stream()
                  .anyMatch(branch -> reaches(branch, inUnion(rules), encoding, visited));
      case RECORD ->
          isJson(schema, schema)
              || (visited.add(schema.getFullName())
                  && schema.getFields().stream()
                      .anyMatch(
                          field ->
                              rules.omits(field.name())
                                  || reaches(
                                      field.schema(), rules.of(field.name()), encoding, visited)));
      default -> encoding ? types.of(rules).converts(schema) : types.of(rules).changes(schema);
    };
  }

  /** Returns whether no rule has changed a schema. An incomplete record cannot be compared. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Schema mapped, Schema schema) {
    return mapped == schema;
  }

  private static Schema like(Schema schema, Schema made) {
    return TypeRules.like(schema, made);
  }
}
