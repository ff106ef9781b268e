package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of this machine's packages, with an empty database for the Hive Metastore.
 * Debian: {@code apt-get install postgresql}.
 */
public final class Postgres {

  static final String USER = "hive";

  private static final String NAME = "postgres";
  private static final String DATABASE = "metastore";
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final int ANSWER_SECONDS = 5;

  /**
   * PostgreSQL refuses to run as root. In a namespace of its own, root's process has another user,
   * and root's files belong to that user.
   */
  private static final List<String> AS_ANOTHER =
      List.of("unshare", "--user", "--map-user=1000", "--map-group=1000");

  private final Path programs;
  private final StackFiles files;
  private final Watchdog watchdog;
  private final int port = FreePorts.next();
  private final ServerProcess process;

  Postgres(StackFiles files, Watchdog watchdog) {
    this.programs =
        installed()
            .orElseThrow(
                () ->
                    new ServerFailedException(
                        "PostgreSQL is neither on the PATH nor in " + DEBIAN + ". Install it"));
    this.files = files;
    this.watchdog = watchdog;
    process =
        new ServerProcess(
            NAME,
            command(
                "postgres",
                "-D",
                data().toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=localhost",
                "-c",
                "unix_socket_directories="),
            files,
            this::problem,
            watchdog);
  }

  /** Returns the folder of PostgreSQL's programs; empty if it is not installed. */
  public static Optional<Path> installed() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    List<Path> folders = new ArrayList<>(Arrays.stream(path.split(":", -1)).map(Path::of).toList());
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> releases = Files.list(DEBIAN)) {
        releases.map(release -> release.resolve("bin")).forEach(folders::add);
      } catch (IOException e) {
        throw new UncheckedIOException(DEBIAN + " cannot be read", e);
      }
    }
    return folders.stream()
        .filter(
            folder ->
                Stream.of("initdb", "postgres", "pg_isready", "createdb")
                    .allMatch(program -> Files.isExecutable(folder.resolve(program))))
        .findFirst();
  }

  private NativeCommand command(String program, String... arguments) {
    List<String> line = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      line.addAll(AS_ANOTHER);
    }
    line.add(programs.resolve(program).toString());
    line.addAll(List.of(arguments));
    return new NativeCommand(line, Map.of());
  }

  private Path data() {
    return files.data(NAME).resolve("cluster");
  }

  /** Creates the database and starts the server. */
  void begin() {
    run(
        "initdb",
        "--pgdata=" + data(),
        "--auth=trust",
        "--username=" + USER,
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--no-sync");
    process.start();
    run("createdb", "--host=localhost", "--port=" + port, "--username=" + USER, DATABASE);
  }

  private void run(String program, String... arguments) {
    Tool.run(NAME, command(program, arguments), files, watchdog);
  }

  String jdbcUrl() {
    return "jdbc:postgresql://localhost:" + port + "/" + DATABASE;
  }

  ServerProcess process() {
    return process;
  }

  private Optional<String> problem() {
    NativeCommand command = command("pg_isready", "--host=localhost", "--port=" + port);
    try {
      Process asking =
          new ProcessBuilder(command.commandLine())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!asking.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        asking.destroyForcibly();
        return Optional.of("pg_isready does not end");
      }
      return asking.exitValue() == 0
          ? Optional.empty()
          : Optional.of("pg_isready ends with exit code " + asking.exitValue());
    } catch (IOException e) {
      return Optional.of("pg_isready cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
