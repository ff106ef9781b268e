package io.tidemark.avro.object;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Compares schemas by all of their text. {@link Schema#equals} ignores documentation, aliases and
 * an enum's default, but a reader's class depends on aliases, and its records return the schema.
 * For one comparison.
 */
final class EqualSchemas {
  private record Pair(Schema one, Schema other) {
    @Override
    @SuppressWarnings("ReferenceEquality") // Recursive schemas are compared once for each place.
    public boolean equals(@Nullable Object object) {
      return object instanceof Pair that && one == that.one && other == that.other;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(one) + System.identityHashCode(other);
    }
  }

  private final Set<Pair> compared = new HashSet<>();

  private EqualSchemas() {}

  /** Returns whether two schemas have the same text. */
  @SuppressWarnings("ReferenceEquality") // Fast for the same object.
  static boolean same(Schema one, Schema other) {
    return one == other || (one.equals(other) && new EqualSchemas().compare(one, other));
  }

  /** Compares what {@code Schema.equals} ignores. */
  private boolean compare(Schema one, Schema other) {
    if (!Objects.equals(logicalType(one), logicalType(other))
        || !Objects.equals(one.getDoc(), other.getDoc())) {
      return false;
    }
    return switch (one.getType()) {
      case RECORD ->
          sameNames(one, other) && (!compared.add(new Pair(one, other)) || fields(one, other));
      case ENUM ->
          sameNames(one, other) && Objects.equals(one.getEnumDefault(), other.getEnumDefault());
      case FIXED -> sameNames(one, other);
      case ARRAY -> compare(one.getElementType(), other.getElementType());
      case MAP -> compare(one.getValueType(), other.getValueType());
      case UNION -> branches(one.getTypes(), other.getTypes());
      default -> true;
    };
  }

  private boolean fields(Schema one, Schema other) {
    List<Schema.Field> others = other.getFields();
    for (Schema.Field field : one.getFields()) {
      Schema.Field counterpart = others.get(field.pos());
      if (!Objects.equals(field.doc(), counterpart.doc())
          || !List.copyOf(field.aliases()).equals(List.copyOf(counterpart.aliases()))
          || !compare(field.schema(), counterpart.schema())) {
        return false;
      }
    }
    return true;
  }

  private boolean branches(List<Schema> some, List<Schema> others) {
    for (int i = 0; i < some.size(); i++) {
      if (!compare(some.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameNames(Schema one, Schema other) {
    return new ArrayList<>(one.getAliases()).equals(new ArrayList<>(other.getAliases()));
  }

  private static Optional<String> logicalType(Schema schema) {
    return Optional.ofNullable(schema.getLogicalType()).map(LogicalType::getName);
  }
}
