package io.tidemark.stack;

import java.util.List;
import java.util.Map;

/** The command that starts a program. */
interface Command {

  /** Returns the command line. */
  List<String> commandLine();

  /** Returns the environment variables in addition to those of this JVM. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** Returns what errors call the program. */
  String program();
}
