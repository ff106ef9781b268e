package io.tidemark.avro.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The names of types in schema resolution. Avro's specification compares records, enums and fixed
 * types by their names without namespaces, or by an alias of the reader's type. Avro's library does
 * so too, but compares enums and fixed types in unions by full names.
 */
public final class TypeNames {
  /** A type of a writer that gets the names of one type of a reader. */
  private record Pair(String writer, String reader) {}

  /** Before the unqualified name of an alias, which is less than a type's. */
  private static final String ALIAS = ".";

  private final IdentityHashMap<Schema, Map<String, Schema>> renamed = new IdentityHashMap<>();

  private TypeNames() {}

  /** Returns whether types are of one kind, and named types have one unqualified name or alias. */
  public static boolean match(Schema reader, Schema writer) {
    return reader.getType() == writer.getType()
        && (reader.getName().equals(writer.getName())
            || (isNamed(reader) && isAlias(reader, writer)));
  }

  /** An alias without a namespace has that of its type, because Avro cannot store another one. */
  private static boolean isAlias(Schema reader, Schema writer) {
    Set<String> aliases = reader.getAliases();
    return aliases.contains(writer.getFullName())
        || (writer.getNamespace() == null
            && aliases.contains(reader.getNamespace() + "." + writer.getName()));
  }

  /** Returns whether types match if an alias of the writer's type counts, too. */
  public static boolean matchEitherWay(Schema one, Schema other) {
    return match(one, other) || match(other, one);
  }

  /** Returns branches as {@link #branches} does, if aliases of the writer's types count, too. */
  public static int[] branchesEitherWay(List<Schema> reader, List<Schema> writer) {
    int[] to = branches(reader, writer);
    int[] back = branches(writer, reader);
    for (int i = 0; i < back.length; i++) {
      int reading = i;
      if (back[i] >= 0 && to[back[i]] < 0 && Arrays.stream(to).noneMatch(at -> at == reading)) {
        to[back[i]] = i;
      }
    }
    return to;
  }

  private static boolean isNamed(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> true;
      default -> false;
    };
  }

  /**
   * Returns the index of the reader's branch for each branch of a writer, or -1. Full names take
   * precedence. Otherwise a branch gets the first branch of the reader that matches and is not
   * another's.
   */
  public static int[] branches(List<Schema> reader, List<Schema> writer) {
    Map<String, Integer> byFullName = new HashMap<>();
    for (int i = 0; i < reader.size(); i++) {
      byFullName.put(reader.get(i).getFullName(), i);
    }
    int[] to = new int[writer.size()];
    Set<Integer> taken = new HashSet<>();
    for (int i = 0; i < to.length; i++) {
      Integer same = byFullName.get(writer.get(i).getFullName());
      to[i] = same != null && reader.get(same).getType() == writer.get(i).getType() ? same : -1;
      taken.add(to[i]);
    }
    if (Arrays.stream(to).anyMatch(index -> index < 0)) {
      Map<String, List<Integer>> byName = free(reader, taken);
      for (int i = 0; i < to.length; i++) {
        Schema branch = writer.get(i);
        if (to[i] < 0 && isNamed(branch)) {
          List<String> names =
              List.of(branch.getName(), branch.getFullName(), ALIAS + branch.getName());
          to[i] = first(byName, names, branch, reader);
        }
      }
    }
    return to;
  }

  /** Returns the branches that are not taken, by unqualified name and by alias. */
  private static Map<String, List<Integer>> free(List<Schema> reader, Set<Integer> taken) {
    Map<String, List<Integer>> byName = new HashMap<>();
    for (int i = 0; i < reader.size(); i++) {
      if (isNamed(reader.get(i)) && !taken.contains(i)) {
        Set<String> names = new HashSet<>(Set.of(reader.get(i).getName()));
        for (String alias : reader.get(i).getAliases()) {
          names.add(alias);
          names.add(ALIAS + alias.substring(alias.lastIndexOf('.') + 1));
        }
        for (String name : names) {
          byName.computeIfAbsent(name, n -> new ArrayList<>()).add(i);
        }
      }
    }
    return byName;
  }

  private static int first(
      Map<String, List<Integer>> byName, List<String> names, Schema branch, List<Schema> reader) {
    for (String name : names) {
      for (Integer index : byName.getOrDefault(name, List.of())) {
        if (match(reader.get(index), branch)) {
          byName.values().forEach(indexes -> indexes.remove(index));
          return index;
        }
      }
    }
    return -1;
  }

  /** Returns a writer schema in which each type that matches a reader's type has its full name. */
  static Schema ofReader(Schema writer, Schema reader) {
    return differs(writer, reader, new HashSet<>())
        ? new TypeNames().renamed(writer, reader)
        : writer;
  }

  private static boolean differs(Schema writer, Schema reader, Set<Pair> seen) {
    if (writer.isUnion() || reader.isUnion()) {
      List<Schema> from = types(writer);
      List<Schema> to = types(reader);
      int[] branches = branches(to, from);
      for (int i = 0; i < branches.length; i++) {
        if (branches[i] >= 0 && differs(from.get(i), to.get(branches[i]), seen)) {
          return true;
        }
      }
      return false;
    }
    if (!match(reader, writer)) {
      return false;
    }
    return switch (writer.getType()) {
      case ARRAY -> differs(writer.getElementType(), reader.getElementType(), seen);
      case MAP -> differs(writer.getValueType(), reader.getValueType(), seen);
      case RECORD ->
          isOther(writer, reader)
              || (seen.add(new Pair(writer.getFullName(), reader.getFullName()))
                  && writer.getFields().stream()
                      .anyMatch(
                          field -> {
                            Schema.Field to = field(reader, field.name());
                            return to != null && differs(field.schema(), to.schema(), seen);
                          }));
      case ENUM, FIXED -> isOther(writer, reader);
      default -> false;
    };
  }

  private static boolean isOther(Schema writer, Schema reader) {
    return !writer.getFullName().equals(reader.getFullName());
  }

  static List<Schema> types(Schema schema) {
    return schema.isUnion() ? schema.getTypes() : List.of(schema);
  }

  /** Returns a record's field of a name, or else the one with that alias. */
  private static Schema.@Nullable Field field(Schema record, String name) {
    Schema.Field field = record.getField(name);
    return field != null
        ? field
        : record.getFields().stream()
            .filter(each -> each.aliases().contains(name))
            .findFirst()
            .orElse(null);
  }

  private Schema renamed(Schema writer, Schema reader) {
    if (writer.isUnion() || reader.isUnion()) {
      List<Schema> from = types(writer);
      List<Schema> to = types(reader);
      int[] branches = branches(to, from);
      List<Schema> made = new ArrayList<>();
      for (int i = 0; i < branches.length; i++) {
        made.add(branches[i] < 0 ? from.get(i) : renamed(from.get(i), to.get(branches[i])));
      }
      return writer.isUnion() ? Schema.createUnion(made) : made.get(0);
    }
    if (!match(reader, writer)) {
      return writer;
    }
    return switch (writer.getType()) {
      case ARRAY ->
          like(
              writer,
              Schema.createArray(renamed(writer.getElementType(), reader.getElementType())));
      case MAP ->
          like(writer, Schema.createMap(renamed(writer.getValueType(), reader.getValueType())));
      case ENUM ->
          isOther(writer, reader)
              ? like(
                  writer,
                  Schema.createEnum(
                      reader.getName(),
                      writer.getDoc(),
                      reader.getNamespace(),
                      writer.getEnumSymbols(),
                      writer.getEnumDefault()))
              : writer;
      case FIXED ->
          isOther(writer, reader)
              ? like(
                  writer,
                  Schema.createFixed(
                      reader.getName(),
                      writer.getDoc(),
                      reader.getNamespace(),
                      writer.getFixedSize()))
              : writer;
      case RECORD -> record(writer, reader);
      default -> writer;
    };
  }

  /** A type of the writer may be at the places of several types of the reader. */
  private Schema record(Schema writer, Schema reader) {
    Map<String, Schema> made = renamed.computeIfAbsent(writer, w -> new HashMap<>());
    Schema known = made.get(reader.getFullName());
    if (known != null) {
      return known;
    }
    Schema record =
        Schema.createRecord(
            reader.getName(), writer.getDoc(), reader.getNamespace(), writer.isError());
    made.put(reader.getFullName(), record);
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : writer.getFields()) {
      Schema.Field to = field(reader, field.name());
      // Without the default, which nothing reads in a writer schema.
      fields.add(
          new Schema.Field(
              field.name(),
              to == null ? field.schema() : renamed(field.schema(), to.schema()),
              field.doc()));
    }
    record.setFields(fields);
    return like(writer, record);
  }

  private static Schema like(Schema schema, Schema made) {
    schema.getObjectProps().forEach(made::addProp);
    if (schema.getLogicalType() != null) {
      schema.getLogicalType().addToSchema(made);
    }
    return made;
  }
}
