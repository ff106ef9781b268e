package io.tidemark.avro.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * Two walks through a writer schema and the table schema side by side, once Avro finds them
 * compatible.
 *
 * <p>The writer's names must be the table's: its aliases have been applied.
 */
final class SchemaPairs {
  private final Set<Pair> seen = new HashSet<>();

  private SchemaPairs() {}

  /** Two records that have been met side by side, by their full names. */
  private record Pair(String writer, String table) {}

  /** A field whose bytes mean one thing to the writer and another to the table. */
  record Conflict(String fieldPath, String cause) {}

  /** Whether each datum of the writer is, byte for byte, the same datum of the table. */
  static boolean sameLayout(Schema writer, Schema table) {
    return new SchemaPairs().layout(writer, table);
  }

  /**
   * The first field whose logical types contradict each other, such as milliseconds and
   * microseconds. Avro resolves such schemas, but hands on the bare number. A logical type on one
   * side only is a name for what was meant before.
   */
  static Optional<Conflict> conflict(Schema writer, Schema table) {
    return new SchemaPairs().conflict(writer, table, "");
  }

  private boolean layout(Schema writer, Schema table) {
    if (writer.getType() != table.getType()) {
      return false;
    }
    return switch (writer.getType()) {
      case RECORD -> !isNew(writer, table) || fieldsLayout(writer.getFields(), table.getFields());
      case ARRAY -> layout(writer.getElementType(), table.getElementType());
      case MAP -> layout(writer.getValueType(), table.getValueType());
      case UNION -> branchesLayout(writer.getTypes(), table.getTypes());
      case FIXED -> writer.getFixedSize() == table.getFixedSize();
      case ENUM -> startsWith(table.getEnumSymbols(), writer.getEnumSymbols());
      default -> true;
    };
  }

  private boolean fieldsLayout(List<Schema.Field> writer, List<Schema.Field> table) {
    if (writer.size() != table.size()) {
      return false;
    }
    for (int i = 0; i < writer.size(); i++) {
      if (!writer.get(i).name().equals(table.get(i).name())
          || !layout(writer.get(i).schema(), table.get(i).schema())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Branches must be as many, so that a nullable union is one on both sides, and be the same by
   * name.
   */
  private boolean branchesLayout(List<Schema> writer, List<Schema> table) {
    if (writer.size() != table.size()) {
      return false;
    }
    for (int i = 0; i < writer.size(); i++) {
      if (!writer.get(i).getFullName().equals(table.get(i).getFullName())
          || !layout(writer.get(i), table.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean startsWith(List<String> list, List<String> start) {
    return list.size() >= start.size() && list.subList(0, start.size()).equals(start);
  }

  private Optional<Conflict> conflict(Schema writer, Schema table, String path) {
    if (writer.isUnion()) {
      return first(writer.getTypes().stream().map(branch -> conflict(branch, table, path)));
    }
    if (table.isUnion()) {
      return counterpart(writer, table).flatMap(branch -> conflict(writer, branch, path));
    }
    LogicalType written = writer.getLogicalType();
    LogicalType read = table.getLogicalType();
    if (written != null && read != null && !agree(written, read)) {
      return Optional.of(
          new Conflict(
              path, "written as " + describe(written) + ", the table's is " + describe(read)));
    }
    if (writer.getType() != table.getType()) {
      return Optional.empty();
    }
    return switch (writer.getType()) {
      case RECORD -> isNew(writer, table) ? fieldConflict(writer, table, path) : Optional.empty();
      case ARRAY -> conflict(writer.getElementType(), table.getElementType(), path + "[]");
      case MAP -> conflict(writer.getValueType(), table.getValueType(), path + "{}");
      default -> Optional.empty();
    };
  }

  private Optional<Conflict> fieldConflict(Schema writer, Schema table, String path) {
    return first(
        table.getFields().stream()
            .filter(field -> writer.getField(field.name()) != null)
            .map(
                field ->
                    conflict(
                        writer.getField(field.name()).schema(),
                        field.schema(),
                        path.isEmpty() ? field.name() : path + '.' + field.name())));
  }

  /**
   * The branch of the table's union that a value of the writer becomes: of its own type, or one it
   * is promoted to.
   */
  private static Optional<Schema> counterpart(Schema writer, Schema union) {
    return union.getTypes().stream()
        .filter(branch -> branch.getFullName().equals(writer.getFullName()))
        .findFirst()
        .or(
            () ->
                union.getTypes().stream()
                    .filter(
                        branch ->
                            SchemaCompatibility.checkReaderWriterCompatibility(branch, writer)
                                    .getType()
                                == SchemaCompatibilityType.COMPATIBLE)
                    .findFirst());
  }

  private static Optional<Conflict> first(Stream<Optional<Conflict>> conflicts) {
    return conflicts.flatMap(Optional::stream).findFirst();
  }

  private boolean isNew(Schema writer, Schema table) {
    return seen.add(new Pair(writer.getFullName(), table.getFullName()));
  }

  /** Decimals agree if the table's has the writer's scale and room for its digits. */
  private static boolean agree(LogicalType written, LogicalType read) {
    if (written instanceof LogicalTypes.Decimal from && read instanceof LogicalTypes.Decimal to) {
      return from.getScale() == to.getScale() && from.getPrecision() <= to.getPrecision();
    }
    return written.getName().equals(read.getName());
  }

  private static String describe(LogicalType type) {
    return type instanceof LogicalTypes.Decimal decimal
        ? "decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")"
        : type.getName();
  }
}
