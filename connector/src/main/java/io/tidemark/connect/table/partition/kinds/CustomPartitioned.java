package io.tidemark.connect.table.partition.kinds;

import io.tidemark.connect.partitioner.Partitioner;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.text.PrintableText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table divided by a class of the user's, which lies in the plugin's directory.
 *
 * @param className its full name. Example: {@code com.example.ByCustomer}
 * @param settings what it is configured with
 * @param columns those that it said when it was loaded
 * @param fieldPaths the fields that it wants, dotted where they are nested
 */
public record CustomPartitioned(
    String className, Map<String, String> settings, List<String> columns, List<String> fieldPaths)
    implements PartitionSpec {

  // customers
  private static final Pattern COLUMN = Pattern.compile("[a-z][a-z0-9_]{0,127}");

  public CustomPartitioned {
    settings = Map.copyOf(settings);
    columns = List.copyOf(columns);
    fieldPaths = List.copyOf(fieldPaths);
  }

  /**
   * Loads a class and asks it how it divides tables.
   *
   * @throws IllegalArgumentException there is no such class, it cannot be made, or what it says is
   *     no layout of a table; the message has the cure
   */
  public static CustomPartitioned load(String className, Map<String, String> settings) {
    Partitioner partitioner = make(className, settings);
    List<String> columns;
    List<String> fields;
    try {
      columns = List.copyOf(partitioner.columns());
      fields = List.copyOf(partitioner.fields());
    } catch (RuntimeException e) {
      throw wrong(className, "columns() or fields() fails: " + PrintableText.of(e), e);
    }
    if (columns.isEmpty()) {
      throw wrong(className, "columns() is empty, and a Hive partition needs a column", null);
    }
    Set<String> names = new HashSet<>();
    for (String column : columns) {
      if (!COLUMN.matcher(column).matches() || !names.add(column)) {
        throw wrong(
            className,
            "columns() has \"%s\", which stands twice or is not of at most 128 lower-case letters, digits and '_' with a letter in front"
                .formatted(PrintableText.of(column)),
            null);
      }
    }
    if (new HashSet<>(fields).size() < fields.size()) {
      throw wrong(className, "fields() has a field twice: " + fields, null);
    }
    return new CustomPartitioned(className, settings, columns, fields);
  }

  /** A new object of the class, configured. */
  Partitioner partitioner() {
    return make(className, settings);
  }

  private static Partitioner make(String className, Map<String, String> settings) {
    Class<?> found;
    try {
      // Of the plugin: its loader sees the jars that lie beside the connector's.
      found = Class.forName(className, true, CustomPartitioned.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          "the class %s cannot be loaded: %s. Put its jar into the plugin's directory on every worker and restart the workers, or set one of the partitioners that docs/CONFIG.md lists"
              .formatted(className, PrintableText.of(e)),
          e);
    }
    if (!Partitioner.class.isAssignableFrom(found)) {
      throw new IllegalArgumentException(
          "the class %s does not implement %s. Let it do so, or set one of the partitioners that docs/CONFIG.md lists"
              .formatted(className, Partitioner.class.getName()));
    }
    try {
      Partitioner made = (Partitioner) found.getDeclaredConstructor().newInstance();
      made.configure(settings);
      return made;
    } catch (ReflectiveOperationException | LinkageError e) {
      throw wrong(
          className,
          "it has no public constructor without parameters that works: " + PrintableText.of(e),
          e);
    } catch (RuntimeException e) {
      throw wrong(className, "configure() refuses partitioner.config.*: " + PrintableText.of(e), e);
    }
  }

  private static IllegalArgumentException wrong(
      String className, String problem, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "the class %s: %s. Correct the class or its settings".formatted(className, problem), cause);
  }

  @Override
  public List<String> valuePaths() {
    return fieldPaths;
  }
}
