package io.tidemark.stack.command;

import java.nio.file.Path;

/**
 * The files of {@code ./stack}, all below the root of the project.
 *
 * <pre>
 * target/stack/stack.json           the running processes: StackState
 * target/stack/addresses.txt        the output of ./stack up, written when all servers answer
 * target/stack/supervisor.log       the log of the supervisor
 * target/stack/stock-quotes.json    config/stock-quotes.json with the addresses of this stack
 * target/stack/{conf,data,logs}/    the files of LocalStack
 * </pre>
 *
 * @param root the root of the project, absolute
 */
record StackPaths(Path root) {

  StackPaths {
    root = root.toAbsolutePath().normalize();
  }

  Path directory() {
    return root.resolve("target").resolve("stack");
  }

  Path state() {
    return directory().resolve("stack.json");
  }

  Path addresses() {
    return directory().resolve("addresses.txt");
  }

  Path connectorConfig() {
    return directory().resolve("stock-quotes.json");
  }

  Path configTemplate() {
    return root.resolve("config").resolve("stock-quotes.json");
  }

  Path pluginArchives() {
    return root.resolve("connector").resolve("target");
  }
}
