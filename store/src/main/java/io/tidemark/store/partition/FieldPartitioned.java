package io.tidemark.store.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A table divided by fields: their values are those of the partition columns.
 *
 * <p>Example: the fields {@code region} and {@code stop.line} give {@code region=west/stop_line=U7}
 */
public record FieldPartitioned(List<String> fieldPaths) implements PartitionSpec {

  // region, stop.line
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");

  /** The Metastore's limit, in characters: the width of PARTITION_KEYS.PKEY_NAME. */
  static final int COLUMN_MAX_CHARS = 128;

  public FieldPartitioned {
    fieldPaths = List.copyOf(fieldPaths);
    if (fieldPaths.isEmpty()) {
      throw new IllegalArgumentException(
          "no field is given. Name the fields, separated by commas. Example: region,stop.line");
    }
    Set<String> columns = new HashSet<>();
    for (String path : fieldPaths) {
      if (!PATH.matcher(path).matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is not the path of a field that can be a partition column. A path has names of letters, digits and '_', separated by dots, and begins with a letter (Hive ignores directories that begin with '_')"
                .formatted(path));
      }
      if (path.length() > COLUMN_MAX_CHARS) {
        throw new IllegalArgumentException(
            "the field %s gives a partition column of %d characters, and the Metastore allows %d"
                .formatted(path, path.length(), COLUMN_MAX_CHARS));
      }
      if (!columns.add(column(path))) {
        throw new IllegalArgumentException(
            "two of the fields %s give the same partition column \"%s\""
                .formatted(fieldPaths, column(path)));
      }
    }
  }

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

  /** Example: {@code stop_line} for {@code stop.line} */
  public static String column(String path) {
    return path.replace('.', '_').toLowerCase(Locale.ROOT);
  }
}
