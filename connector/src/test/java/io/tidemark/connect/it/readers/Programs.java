package io.tidemark.connect.it.readers;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.JavaInstallation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Readers that are separate programs. */
final class Programs {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DEADLINE_SECONDS = 600;
  private static final Path SERVERS = Path.of("..", "local-stack", "servers");

  /** Options of a JVM that runs for a minute. */
  private static final List<String> BRIEFLY = List.of("-Xmx1g", "-XX:TieredStopAtLevel=1");

  /** Packages that Spark accesses by reflection, from its own start script. */
  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.lang.reflect",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.security.action",
          "sun.util.calendar");

  private final Path directory;

  /**
   * Programs with their files in a directory.
   *
   * @param directory for their answers, logs and data
   */
  Programs(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  /** The rows that fastavro reads from files. */
  Answer fastavro(Path schema, List<Path> files) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("python3", "src/test/python/print_values.py", schema.toString()));
    files.forEach(file -> command.add(file.toString()));
    return Answer.of(JSON.readTree(run("fastavro", command).toFile()));
  }

  /**
   * The rows that another reader for Python reads from {@link ColumnFiles} of a table.
   *
   * @param reader as the program {@code print_columns.py} names it
   */
  Answer columns(String reader, Landing.ReadTable table) throws IOException {
    List<Map<String, Object>> groups = new ArrayList<>();
    ColumnFiles.write(table, directory.resolve("columns"))
        .forEach(
            (label, files) ->
                groups.add(
                    Map.of(
                        "columns",
                        table.columns().stream()
                            .filter(column -> column.label().equals(label))
                            .map(TypedColumn::name)
                            .toList(),
                        "files",
                        files.stream().map(Path::toString).toList())));
    String name = reader + "-" + table.name();
    Path request = directory.resolve(name + "-request.json");
    JSON.writeValue(request.toFile(), groups);
    return Answer.of(
        JSON.readTree(
            run(
                    name,
                    List.of(
                        "python3", "src/test/python/print_columns.py", reader, request.toString()))
                .toFile()));
  }

  /** The settings with which Spark uses another client of the Metastore than its own. */
  static Map<String, String> metastoreClient() throws IOException {
    String jars =
        Arrays.stream(classPath("spark-hive-3.1").split(File.pathSeparator, -1))
            .map(jar -> "file://" + jar)
            .collect(Collectors.joining(","));
    return Map.of(
        "spark.sql.hive.metastore.version", "3.1.3",
        "spark.sql.hive.metastore.jars", "path",
        "spark.sql.hive.metastore.jars.path", jars);
  }

  /**
   * The rows that Spark reads, as JSON for each of the tables.
   *
   * @param release such as {@code spark-3.5}
   * @param tables in the form that the program {@code PrintTables} takes
   */
  List<JsonNode> spark(
      String release, String name, Map<String, String> settings, List<String> tables)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.app.name", name);
    all.put("spark.master", "local[1]");
    all.put("spark.driver.host", "localhost");
    all.put("spark.driver.bindAddress", "localhost");
    all.put("spark.ui.enabled", "false");
    all.put("spark.local.dir", directory.resolve(name + "-local").toString());
    all.put("spark.sql.warehouse.dir", directory.resolve(name + "-warehouse").toString());
    all.put("spark.sql.datetime.java8API.enabled", "true");
    all.putAll(settings);
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(BRIEFLY);
    OPENED.forEach(each -> command.add("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
    all.forEach((key, value) -> command.add("-D" + key + "=" + value));
    Path answer = directory.resolve(name + ".json");
    command.addAll(
        List.of("-cp", classPath(release), "src/test/spark/PrintTables.java", answer.toString()));
    command.addAll(tables);
    run(name, command);
    return answers(answer);
  }

  /**
   * The rows that Trino reads by the Metastore, as JSON for each of the tables. Trino runs in a
   * process of its own, because it needs Java 25.
   */
  List<JsonNode> trino(JavaInstallation java, String metastore, List<String> tables)
      throws IOException {
    Path answer = directory.resolve("trino.json");
    List<String> command =
        new ArrayList<>(List.of(java.home().resolve("bin").resolve("java").toString()));
    command.addAll(BRIEFLY);
    command.addAll(
        List.of(
            "--add-modules=jdk.incubator.vector",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath("trino"),
            "src/test/trino/PrintTrino.java",
            answer.toString(),
            directory.resolve("trino-data").toString(),
            metastore));
    command.addAll(tables);
    run("trino", command);
    return answers(answer);
  }

  private static List<JsonNode> answers(Path file) throws IOException {
    List<JsonNode> answers = new ArrayList<>();
    JSON.readTree(file.toFile()).forEach(answers::add);
    return answers;
  }

  /** The class path that the build has written. */
  private static String classPath(String server) throws IOException {
    Path file = SERVERS.resolve(server).resolve("target").resolve("class-path");
    assertThat(file).as("the build with -Preaders or -Pengines makes it").exists();
    return Files.readString(file).strip();
  }

  /** Runs a program to its end, and returns the file with its output. */
  private Path run(String name, List<String> command) throws IOException {
    Path output = directory.resolve(name + ".out");
    Path log = directory.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(DEADLINE_SECONDS, SECONDS))
          .as("%s ends within %d s; see %s", name, DEADLINE_SECONDS, log)
          .isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(name + ": interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("%s, see %s: %s", name, log, tail(log)).isZero();
    return output;
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }
}
