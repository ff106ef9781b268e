package io.tidemark.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * What the demo is asked for.
 *
 * @param records how many records go from Kafka to Hive
 * @param yes whether nothing is asked: the second act commits its transaction by itself
 * @param keep whether the services run on until Enter or Ctrl-C
 * @param terminal whether the output is a terminal, where a bar can move
 * @param registry which kind of schema registry is used
 * @param root the root of the project, where {@code config/} and the plugin's archive lie
 */
record DemoOptions(
    long records, boolean yes, boolean keep, boolean terminal, DemoRegistry registry, Path root) {

  DemoOptions {
    if (records < 1) {
      throw new IllegalArgumentException(
          "--records " + records + ": nothing would land; ask for 1 or more");
    }
  }

  /** Whether somebody sits in front of it and is asked. */
  boolean asks() {
    return terminal && !yes;
  }

  /**
   * Reads {@code --records N}, {@code --registry NAME}, {@code --root DIRECTORY}, {@code --keep},
   * {@code --yes} and {@code --terminal}.
   */
  static DemoOptions parse(List<String> arguments) {
    long records = 1_000_000;
    boolean yes = false;
    boolean keep = false;
    boolean terminal = false;
    DemoRegistry registry = DemoRegistry.CONFLUENT;
    Path root = Path.of("");
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--records" -> records = number(arguments, ++i);
        case "--registry" -> registry = DemoRegistry.parse(value(arguments, ++i));
        case "--root" -> root = Path.of(value(arguments, ++i));
        case "--yes" -> yes = true;
        case "--keep" -> keep = true;
        case "--terminal" -> terminal = true;
        default ->
            throw new IllegalArgumentException(
                arguments.get(i) + " is not an option: see ./demo --help");
      }
    }
    return new DemoOptions(
        records, yes, keep, terminal, registry, root.toAbsolutePath().normalize());
  }

  private static long number(List<String> arguments, int index) {
    String text = value(arguments, index);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          arguments.get(index - 1) + " " + text + ": a whole number is needed", e);
    }
  }

  private static String value(List<String> arguments, int index) {
    if (index >= arguments.size()) {
      throw new IllegalArgumentException(arguments.get(index - 1) + " needs a value after it");
    }
    return arguments.get(index);
  }
}
