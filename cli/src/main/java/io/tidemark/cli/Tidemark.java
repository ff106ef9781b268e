package io.tidemark.cli;

import io.tidemark.cli.adopt.AdoptServices;
import io.tidemark.cli.audit.AuditServices;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.apache.kafka.connect.errors.ConnectException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The {@code tidemark} command. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = Tidemark.Version.class,
    description =
        "Shows the time through which the tables of a Tidemark connector are complete, and why it is not later.",
    footer = {
      "",
      "Exit codes: 0 complete, equal or done; 1 not yet, or different; 2 wrong usage or",
      "configuration; 3 an operator must act; 4 unknown, a service is unavailable."
    })
public final class Tidemark {
  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "show the stack trace of a failure")
  private boolean stacktrace;

  private Tidemark() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(writer(System.out), writer(System.err), Duration.ofSeconds(2), arguments));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  static int run(PrintWriter out, PrintWriter err, Duration poll, String... arguments) {
    return run(out, err, poll, AuditServices.DEPLOYED, arguments);
  }

  static int run(
      PrintWriter out,
      PrintWriter err,
      Duration poll,
      AuditServices services,
      String... arguments) {
    return run(new Console(out, err, Clock.systemUTC(), poll), services, arguments);
  }

  static int run(Console console, AuditServices services, String... arguments) {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    Tidemark tidemark = new Tidemark();
    CommandLine line =
        new CommandLine(tidemark)
            .addSubcommand(new StatusCommand(console))
            .addSubcommand(new WaitCommand(console))
            .addSubcommand(new AuditCommand(console, services))
            .addSubcommand(new RepairCommand(console, services))
            .addSubcommand(new MigrateCommand(console))
            .addSubcommand(new AdoptCommand(console, AdoptServices.DEPLOYED))
            .setOut(out)
            .setErr(err)
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> tidemark.failed(failure, err));
    if (arguments.length == 0) {
      line.usage(err);
      return ExitCode.USAGE.number();
    }
    return line.execute(arguments);
  }

  private int failed(Exception failure, PrintWriter err) throws Exception {
    if (failure instanceof ParameterException) {
      throw failure;
    }
    ExitCode code = code(failure);
    String message =
        failure instanceof CommandFailure
                || failure instanceof CorruptLogException
                || failure instanceof CatalogUnavailableException
                || failure instanceof CatalogConflictException
            ? PrintableText.messageOf(failure)
            : problem(failure);
    err.println("tidemark: " + message);
    if (stacktrace) {
      failure.printStackTrace(err);
    }
    err.flush();
    return code.number();
  }

  private static ExitCode code(Exception failure) {
    if (failure instanceof CommandFailure known) {
      return known.exitCode();
    }
    if (failure instanceof CorruptLogException || failure instanceof CatalogConflictException) {
      return ExitCode.OPERATOR;
    }
    return ExitCode.UNKNOWN;
  }

  private static String problem(Exception failure) {
    return failure instanceof IOException || failure instanceof ConnectException
        ? "the store cannot be read or written: %s. It is unavailable, or rejects this user. Check that this machine reaches store.url, and try again."
            .formatted(PrintableText.of(failure))
        : "this is a defect of the command: %s. Run it again with --stacktrace, and report the stack trace."
            .formatted(PrintableText.of(failure));
  }

  /** Returns the version from the archive's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Tidemark.class.getPackage().getImplementationVersion();
      return new String[] {"tidemark " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
