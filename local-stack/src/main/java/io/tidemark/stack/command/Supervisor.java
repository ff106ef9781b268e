package io.tidemark.stack.command;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.security.KdcKind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * The process behind {@code ./stack up}: starts all services and keeps them running until SIGTERM.
 *
 * <p>It also ends when its state file is deleted, for example by {@code mvn clean}: other commands
 * could no longer find the servers. Confined to one thread.
 */
final class Supervisor {

  private static final int LOOK_MS = 1_000;

  private final StackPaths paths;
  private final StackOptions options;

  Supervisor(StackOptions options) {
    this.paths = options.paths();
    this.options = options;
  }

  /** Runs until the state file is deleted; returns when every server has been stopped. */
  void run() throws IOException, InterruptedException, ExecutionException {
    Files.createDirectories(paths.directory());
    try (StatusServer status = new StatusServer()) {
      StackState starting =
          new StackState(
              ProcessId.of(ProcessHandle.current()), status.port(), options.debugPort(), List.of());
      starting.write(paths.state());
      hold(starting, status);
    }
  }

  private void hold(StackState starting, StatusServer status)
      throws IOException, InterruptedException, ExecutionException {
    try (LocalStack stack = start()) {
      List<Member.Server> servers = Member.serversOf(stack);
      starting
          .withMembers(servers.stream().map(Member.Server::member).toList())
          .write(paths.state());
      Map<String, Supplier<Optional<String>>> checks = new LinkedHashMap<>();
      servers.forEach(server -> checks.put(server.process().name(), server.process()::problem));
      status.watch(checks);
      SampleConnector.prepare(stack, paths);
      publish(Addresses.text(stack, options));
      while (Files.exists(paths.state())) {
        Thread.sleep(LOOK_MS);
      }
    }
  }

  private LocalStack start() throws IOException {
    LocalStack.Builder builder =
        LocalStack.builder().directory(paths.directory()).all().pluginArchive(archive());
    options.debugPort().ifPresent(builder::connectDebugPort);
    if (options.secure()) {
      builder.secured(SecurityOptions.USUAL.with(KdcKind.best()));
    }
    if (options.highlyAvailable()) {
      builder.nameNodes(2);
    }
    return builder.start();
  }

  private Path archive() throws IOException {
    Path folder = paths.pluginArchives();
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(folder, "tidemark-*.zip")) {
      for (Path archive : archives) {
        return archive;
      }
    }
    throw new IOException(
        folder
            + " has no tidemark-*.zip: the plugin is not built. Run ./stack up, which builds it.");
  }

  /** Writes the addresses atomically, so that no reader gets a part of them. */
  private void publish(String text) throws IOException {
    Path temporary = paths.addresses().resolveSibling("addresses.new");
    Files.writeString(temporary, text);
    Files.move(temporary, paths.addresses(), StandardCopyOption.ATOMIC_MOVE);
  }
}
