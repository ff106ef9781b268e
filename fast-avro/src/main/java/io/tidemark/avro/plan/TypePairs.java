package io.tidemark.avro.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The named types of a writer schema at the places of a reader schema's types, and the names that
 * they have in a schema that reads both. There a type has the reader's name, and as aliases the
 * names by which other writers know it. Aliases of either side match. Immutable once made.
 */
public final class TypePairs {
  private final Map<String, Schema> readerTypes = new LinkedHashMap<>();
  private final Map<String, Schema> writerTypes = new LinkedHashMap<>();
  private final Map<String, Map<String, Schema>> counterparts = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> typesByAlias = new LinkedHashMap<>();
  private final Map<String, Set<String>> aliases = new HashMap<>();

  private TypePairs() {}

  public static TypePairs of(Schema reader, Schema writer) {
    TypePairs pairs = new TypePairs();
    gather(reader, pairs.readerTypes);
    gather(writer, pairs.writerTypes);
    Set<String> shared = new LinkedHashSet<>(pairs.readerTypes.keySet());
    shared.retainAll(pairs.writerTypes.keySet());
    shared.forEach(name -> pairs.names.put(name, name));
    pairs.pair(reader, writer);
    shared.forEach(name -> pairs.pair(pairs.reader(name), pairs.writer(name)));
    pairs.readerTypes.values().forEach(pairs::pairAliases);
    pairs.nameAliases();
    return pairs;
  }

  /** Returns the reader's types by full name. */
  public Map<String, Schema> readerTypes() {
    return readerTypes;
  }

  /** Returns the writer's types by full name. */
  public Map<String, Schema> writerTypes() {
    return writerTypes;
  }

  /** Returns the writer's types at the places of a reader's type. */
  public List<Schema> counterparts(String readerName) {
    return List.copyOf(counterparts.getOrDefault(readerName, Map.of()).values());
  }

  /** Returns the name of a type of either side in a schema that reads both. */
  public String nameOf(Schema type) {
    return names.getOrDefault(type.getFullName(), type.getFullName());
  }

  /**
   * Returns the aliases of a type in a schema that reads both: those of either side, and names that
   * an alias matched. The name of another type is not among them, as readers would replace it.
   */
  public Set<String> aliases(String name) {
    return aliases.getOrDefault(name, Set.of());
  }

  /** Returns whether one of the reader's types gets an alias that it does not have. */
  public boolean addsAliases() {
    return readerTypes.values().stream()
        .anyMatch(type -> !type.getAliases().containsAll(aliases(type.getFullName())));
  }

  private Schema reader(String name) {
    return Objects.requireNonNull(readerTypes.get(name));
  }

  private Schema writer(String name) {
    return Objects.requireNonNull(writerTypes.get(name));
  }

  private static void gather(Schema schema, Map<String, Schema> types) {
    switch (schema.getType()) {
      case RECORD -> {
        if (types.put(schema.getFullName(), schema) == null) {
          schema.getFields().forEach(field -> gather(field.schema(), types));
        }
      }
      case ENUM, FIXED -> types.put(schema.getFullName(), schema);
      case ARRAY -> gather(schema.getElementType(), types);
      case MAP -> gather(schema.getValueType(), types);
      case UNION -> schema.getTypes().forEach(branch -> gather(branch, types));
      default -> {}
    }
  }

  private void pair(Schema reader, Schema writer) {
    if (reader.isUnion() || writer.isUnion()) {
      List<Schema> to = TypeNames.types(reader);
      List<Schema> from = TypeNames.types(writer);
      int[] branches = TypeNames.branchesEitherWay(to, from);
      for (int i = 0; i < branches.length; i++) {
        if (branches[i] >= 0) {
          pair(to.get(branches[i]), from.get(i));
        }
      }
    } else if (TypeNames.matchEitherWay(reader, writer)) {
      switch (reader.getType()) {
        case RECORD -> {
          if (add(reader, writer)) {
            for (Schema.Field field : reader.getFields()) {
              Schema.Field from = writer.getField(field.name());
              if (from != null) {
                pair(field.schema(), from.schema());
              }
            }
          }
        }
        case ENUM, FIXED -> {
          boolean unused = add(reader, writer);
        }
        case ARRAY -> pair(reader.getElementType(), writer.getElementType());
        case MAP -> pair(reader.getValueType(), writer.getValueType());
        default -> {}
      }
    }
  }

  /** Pairs a type with the writer's types that have its aliases as names, also at other places. */
  private void pairAliases(Schema type) {
    for (String alias : type.getAliases()) {
      Schema other = writerTypes.get(alias);
      if (other != null && !readerTypes.containsKey(alias) && !names.containsKey(alias)) {
        pair(type, other);
      }
    }
  }

  private boolean add(Schema reader, Schema writer) {
    names.putIfAbsent(writer.getFullName(), reader.getFullName());
    return counterparts
            .computeIfAbsent(reader.getFullName(), name -> new LinkedHashMap<>())
            .put(writer.getFullName(), writer)
        == null;
  }

  private void nameAliases() {
    readerTypes.forEach(
        (name, type) -> type.getAliases().forEach(a -> typesByAlias.putIfAbsent(a, name)));
    counterparts.forEach(
        (name, types) ->
            types.forEach(
                (theirs, type) -> {
                  if (!type.getName().equals(reader(name).getName())) {
                    typesByAlias.putIfAbsent(inNamespace(theirs, name), name);
                  }
                }));
    for (Schema type : writerTypes.values()) {
      type.getAliases()
          .forEach(
              alias -> typesByAlias.putIfAbsent(inNamespace(alias, nameOf(type)), nameOf(type)));
    }
    typesByAlias.keySet().removeAll(readerTypes.keySet());
    writerTypes.values().forEach(type -> typesByAlias.remove(nameOf(type)));
    typesByAlias.forEach(
        (alias, name) -> aliases.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(alias));
  }

  /** Returns an alias as Avro stores it: a type with a namespace has no alias without one. */
  private static String inNamespace(String alias, String name) {
    return alias.contains(".") ? alias : name.substring(0, name.lastIndexOf('.') + 1) + alias;
  }
}
