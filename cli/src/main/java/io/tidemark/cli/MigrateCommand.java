package io.tidemark.cli;

import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.MigrationReport;
import io.tidemark.cli.migrate.OldConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark migrate}: translates the configuration of another sink. Connects to nothing. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the configuration that replaces that of another sink, and on the standard error each change with its reason, what has no counterpart, and what to do before and after.",
      "Exit codes: 0 the configuration is complete; 1 something is to be set or to be checked; 2 wrong usage, or the file is not the configuration of a known sink; 3 Tidemark cannot replace the connector, or its validation rejects the configuration."
    })
final class MigrateCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "OLD.json",
      description = "the old connector's configuration, as Connect's REST API prints it")
  private Path file = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "set a key of the new configuration, such as kafka.bootstrap.servers; may be repeated")
  private Map<String, String> set = new LinkedHashMap<>();

  private final Console console;

  MigrateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    OldConfig old = OldConfig.read(file);
    MigrationReport report = Migration.of(old, set);
    console.print(List.of(report.json(old.wrapped())));
    console.note(report.lines());
    return report.exitCode().number();
  }
}
