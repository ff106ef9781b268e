package io.tidemark.stack.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The program's command and options.
 *
 * @param debugPort the worker's port for a debugger
 */
record StackOptions(Action action, StackPaths paths, OptionalInt debugPort) {

  /** The commands. */
  enum Action {
    /** Start the services and keep them running. */
    SUPERVISE,
    /** Print their status. */
    STATUS,
    /** End them. */
    DOWN
  }

  /** Reads {@code supervise|status|down [--root DIRECTORY] [--debug PORT]}. */
  static StackOptions parse(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("supervise, status or down is missing");
    }
    Path root = Path.of("");
    OptionalInt debugPort = OptionalInt.empty();
    for (int i = 1; i < arguments.size(); i += 2) {
      String option = arguments.get(i);
      if (i + 1 == arguments.size()) {
        throw new IllegalArgumentException(option + " needs a value after it");
      }
      String value = arguments.get(i + 1);
      switch (option) {
        case "--root" -> root = Path.of(value);
        case "--debug" -> debugPort = OptionalInt.of(port(value));
        default ->
            throw new IllegalArgumentException(option + " is not an option: see ./stack --help");
      }
    }
    return new StackOptions(action(arguments.get(0)), new StackPaths(root), debugPort);
  }

  private static Action action(String text) {
    for (Action action : Action.values()) {
      if (action.name().toLowerCase(Locale.ROOT).equals(text)) {
        return action;
      }
    }
    throw new IllegalArgumentException(text + " is not a command: see ./stack --help");
  }

  private static int port(String text) {
    if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException(
          "--debug %s: a port is a whole number from 1 to 65535".formatted(text));
    }
    return Integer.parseInt(text);
  }
}
