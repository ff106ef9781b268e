package io.tidemark.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * The options of the demo.
 *
 * @param records the number of records to produce
 * @param secure whether the services require a login by Kerberos
 * @param yes whether the demo asks nothing: the second part then commits its transaction by itself
 * @param keep whether the services run until Enter or Ctrl-C
 * @param terminal whether the output is a terminal, which can show a progress bar
 * @param registry the kind of schema registry
 * @param root the root of the project, which contains {@code config/} and the plugin's archive
 */
record DemoOptions(
    long records,
    boolean secure,
    boolean yes,
    boolean keep,
    boolean terminal,
    DemoRegistry registry,
    Path root) {

  DemoOptions {
    if (records < 1) {
      throw new IllegalArgumentException("--records " + records + ": too few; use 1 or more");
    }
  }

  /** Returns whether the demo asks its user. */
  boolean asks() {
    return terminal && !yes;
  }

  /**
   * Reads {@code --records N}, {@code --registry NAME}, {@code --root DIRECTORY}, {@code --secure},
   * {@code --keep}, {@code --yes} and {@code --terminal}.
   */
  static DemoOptions parse(List<String> arguments) {
    long records = 1_000_000;
    boolean secure = false;
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
        case "--secure" -> secure = true;
        case "--yes" -> yes = true;
        case "--keep" -> keep = true;
        case "--terminal" -> terminal = true;
        default ->
            throw new IllegalArgumentException(
                arguments.get(i) + " is not an option: see ./demo --help");
      }
    }
    return new DemoOptions(
        records, secure, yes, keep, terminal, registry, root.toAbsolutePath().normalize());
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
