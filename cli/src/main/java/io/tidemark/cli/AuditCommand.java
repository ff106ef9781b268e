package io.tidemark.cli;

import io.tidemark.cli.audit.Audit;
import io.tidemark.cli.audit.AuditJson;
import io.tidemark.cli.audit.AuditReport;
import io.tidemark.cli.audit.AuditServices;
import io.tidemark.cli.audit.AuditText;
import io.tidemark.cli.audit.Progress;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark audit}: compares the ledger with files and services. Changes nothing. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the ledger and the commit logs with the files, the manifests, Hive and Kafka.",
      "Exit codes: 0 everything agrees; 1 something differs; 2 wrong usage or configuration; 3 an operator must act; 4 something could not be compared."
    })
final class AuditCommand implements Callable<Integer> {
  /** Set by the command's script if the standard error is a terminal. */
  private static final String TERMINAL = "tidemark.terminal";

  @Mixin private ConnectorOptions connector = new ConnectorOptions();

  @Option(names = "--table", paramLabel = "DB.TABLE", description = "check this table only")
  private Optional<String> table = Optional.empty();

  @Option(
      names = "--hive-partition",
      paramLabel = "PATH",
      description = "check this Hive partition only, such as dt=2026-11-21/hour=07")
  private Optional<String> hivePartition = Optional.empty();

  @Option(
      names = "--deep",
      description = "decode every record, and check that it is in the right Hive partition")
  private boolean deep;

  @Option(names = "--json", description = "one JSON object in a line, for programs")
  private boolean json;

  private final Console console;
  private final AuditServices services;

  AuditCommand(Console console, AuditServices services) {
    this.console = console;
    this.services = services;
  }

  @Override
  public Integer call() throws Exception {
    Optional<String> path = hivePartition.isEmpty() ? Optional.empty() : Optional.of(path());
    boolean terminal = Boolean.getBoolean(TERMINAL) && !json;
    try (Deployment deployment = connector.open();
        Progress progress = new Progress(console.err(), terminal)) {
      AuditReport report =
          new Audit(table, path, deep, console.clock(), console.poll())
              .run(deployment, services, progress);
      progress.clear();
      console.print(json ? List.of(AuditJson.of(report).toString()) : AuditText.lines(report));
      return report.exitCode().number();
    }
  }

  private String path() throws CommandFailure {
    String path = hivePartition.orElseThrow();
    try {
      return HivePartition.parse(path).path();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--hive-partition %s: this is not the path of a Hive partition: %s. Write it as dt=2026-11-21/hour=07."
              .formatted(PrintableText.of(path), PrintableText.messageOf(e)),
          e);
    }
  }
}
