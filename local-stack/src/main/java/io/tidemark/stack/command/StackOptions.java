package io.tidemark.stack.command;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The program's command and options.
 *
 * @param debugPort the worker's port for a debugger
 * @param secure whether the services are secured with Kerberos and TLS
 * @param highlyAvailable whether HDFS has two name nodes
 */
record StackOptions(
    Action action,
    StackPaths paths,
    OptionalInt debugPort,
    boolean secure,
    boolean highlyAvailable) {

  /** The commands. */
  enum Action {
    /** Start the services and keep them running. */
    SUPERVISE,
    /** Print their status. */
    STATUS,
    /** End them. */
    DOWN
  }

  /** Reads {@code supervise|status|down [--root DIRECTORY] [--debug PORT] [--secure] [--ha]}. */
  static StackOptions parse(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("supervise, status or down is missing");
    }
    Path root = Path.of("");
    OptionalInt debugPort = OptionalInt.empty();
    boolean secure = false;
    boolean highlyAvailable = false;
    Iterator<String> rest = arguments.subList(1, arguments.size()).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--root" -> root = Path.of(valueOf(option, rest));
        case "--debug" -> debugPort = OptionalInt.of(port(valueOf(option, rest)));
        case "--secure" -> secure = true;
        case "--ha" -> highlyAvailable = true;
        default ->
            throw new IllegalArgumentException(option + " is not an option: see ./stack --help");
      }
    }
    return new StackOptions(
        action(arguments.get(0)), new StackPaths(root), debugPort, secure, highlyAvailable);
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value after it");
    }
    return rest.next();
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
