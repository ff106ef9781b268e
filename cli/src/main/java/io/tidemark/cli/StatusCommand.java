package io.tidemark.cli;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.cli.status.Status;
import io.tidemark.cli.status.StatusJson;
import io.tidemark.cli.status.StatusPage;
import io.tidemark.cli.status.StatusText;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark status}: shows the time through which tables and groups are complete. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the time through which tables and groups are complete, and why it is not later.",
      "Exit codes: 0 the newest snapshot is covered; 1 it is not covered yet; 2 wrong usage or configuration; 3 an operator must act; 4 unknown: a service is unavailable, or completeness is not evaluated."
    })
final class StatusCommand implements Callable<Integer> {
  @Mixin private ConnectorOptions connector = new ConnectorOptions();

  @Option(names = "--json", description = "one JSON object in a line, for programs")
  private boolean json;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "5",
      paramLabel = "SECONDS",
      description = "show the status again every SECONDS (default 5) until interrupted")
  private Optional<Integer> watch = Optional.empty();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "also write one self-contained page to a file")
  private Optional<Path> html = Optional.empty();

  private final Console console;

  StatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (watch.filter(seconds -> seconds < 1).isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE, "--watch: the interval is less than 1 second. Use --watch=5.");
    }
    try (Deployment deployment = connector.open()) {
      ExitCode code = show(deployment);
      while (watch.isPresent()) {
        Thread.sleep(watch.get() * 1_000L);
        console.print(List.of(""));
        code = show(deployment);
      }
      return code.number();
    }
  }

  private ExitCode show(Deployment deployment)
      throws IOException, CorruptLogException, CommandFailure {
    Instant now = console.clock().instant();
    ConnectorState state = deployment.state();
    Ledger ledger = deployment.ledger(deployment.folders().logId(), console.clock()).read();
    Status status =
        Status.of(
            deployment.connector(),
            state,
            ledger,
            deployment.interval(),
            deployment::prevents,
            deployment.waits(state, now),
            now);
    console.print(
        json
            ? List.of(StatusJson.of(status).toString())
            : StatusText.lines(status, ConnectorOptions.again(deployment)));
    if (html.isPresent()) {
      write(html.get(), StatusPage.html(status, ledger));
    }
    return status.exitCode();
  }

  private static void write(Path file, String page) throws CommandFailure {
    try {
      Files.writeString(file, page, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--html %s: the file cannot be written: %s. Choose a file in an existing directory that you may write to."
              .formatted(PrintableText.of(file.toString()), PrintableText.of(e)),
          e);
    }
  }
}
