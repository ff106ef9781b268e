package io.tidemark.store.partition;

import io.tidemark.partitioner.Partitioner;
import io.tidemark.store.PrintableText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A table divided by a user's class. Paths of fields are dotted if nested. */
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

  /** Loads a class; an {@link IllegalArgumentException} has the cure. */
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
      throw wrong(className, "columns() is empty, but a Hive partition needs a column", null);
    }
    Set<String> names = new HashSet<>();
    for (String column : columns) {
      if (!COLUMN.matcher(column).matches() || !names.add(column)) {
        throw wrong(
            className,
            "columns() has \"%s\", which occurs twice, or is not a letter followed by at most 127 lower-case letters, digits and '_'"
                .formatted(PrintableText.of(column)),
            null);
      }
    }
    if (new HashSet<>(fields).size() < fields.size()) {
      throw wrong(className, "fields() has a field twice: " + fields, null);
    }
    return new CustomPartitioned(className, settings, columns, fields);
  }

  Partitioner partitioner() {
    return make(className, settings);
  }

  private static Partitioner make(String className, Map<String, String> settings) {
    Class<?> found;
    try {
      // The plugin's loader also has the jars next to the connector's. No initializer runs here.
      found = Class.forName(className, false, CustomPartitioned.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          "the class %s cannot be loaded: %s. Put its jar into the plugin's directory on every worker and restart the workers, or set one of the partitioners that docs/CONFIG.md lists"
              .formatted(className, PrintableText.of(e)),
          e);
    }
    if (!Partitioner.class.isAssignableFrom(found)) {
      throw new IllegalArgumentException(
          "the class %s does not implement %s. Implement it, or set one of the partitioners that docs/CONFIG.md lists"
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
      throw wrong(className, "configure() rejects partitioner.config.*: " + PrintableText.of(e), e);
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
