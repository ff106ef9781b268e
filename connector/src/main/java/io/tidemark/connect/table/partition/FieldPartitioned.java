package io.tidemark.connect.table.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A table divided by the values of fields: a record lies where they point.
 *
 * <p>Example: the fields {@code region} and {@code stop.line} make {@code region=west/stop_line=U7}
 *
 * @param fieldPaths the fields, dotted where they are nested, in the order of the directories
 */
public record FieldPartitioned(List<String> fieldPaths) implements PartitionSpec {

  // region, stop.line
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");

  /** The Metastore's for the name of a partition column: the width of PARTITION_KEYS.PKEY_NAME. */
  static final int COLUMN_MAX_CHARS = 128;

  public FieldPartitioned {
    fieldPaths = List.copyOf(fieldPaths);
    if (fieldPaths.isEmpty()) {
      throw new IllegalArgumentException(
          "no field is named. Name the fields, separated by commas. Example: region,stop.line");
    }
    Set<String> columns = new HashSet<>();
    for (String path : fieldPaths) {
      if (!PATH.matcher(path).matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is not the path of a field that can be a Hive partition: names of letters, digits and '_', separated by dots, with a letter in front (Hive does not see directories that begin with '_')"
                .formatted(path));
      }
      if (path.length() > COLUMN_MAX_CHARS) {
        throw new IllegalArgumentException(
            "the field %s would be a partition column of %d characters, and the Metastore takes %d"
                .formatted(path, path.length(), COLUMN_MAX_CHARS));
      }
      if (!columns.add(column(path))) {
        throw new IllegalArgumentException(
            "two of the fields %s would be the partition column \"%s\""
                .formatted(fieldPaths, column(path)));
      }
    }
  }

  /** Reads a list of paths with commas between them. */
  public static FieldPartitioned parse(String paths) {
    return new FieldPartitioned(
        List.of(paths.split(",", -1)).stream()
            .map(String::trim)
            .filter(p -> !p.isEmpty())
            .toList());
  }

  @Override
  public List<String> columns() {
    return fieldPaths.stream().map(FieldPartitioned::column).toList();
  }

  @Override
  public List<String> valuePaths() {
    return fieldPaths;
  }

  /** The partition column of a field. Example: {@code stop.line} becomes {@code stop_line}. */
  public static String column(String path) {
    return path.replace('.', '_').toLowerCase(Locale.ROOT);
  }
}
