package io.tidemark.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command that starts a program of the operating system. */
record NativeCommand(List<String> commandLine, Map<String, String> environment) implements Command {

  NativeCommand {
    commandLine = List.copyOf(commandLine);
    environment = Map.copyOf(environment);
  }

  @Override
  public String program() {
    return Path.of(commandLine.get(0)).getFileName()
        + " "
        + commandLine.get(commandLine.size() - 1);
  }
}
