package io.tidemark.cli;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.cli.status.Held;
import io.tidemark.cli.status.Status;
import io.tidemark.cli.status.StatusText;
import io.tidemark.cli.status.Subject;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code tidemark wait}: waits until a table or a group is complete through an instant, or an
 * announced batch is complete.
 */
@Command(
    name = "wait",
    mixinStandardHelpOptions = true,
    description = {
      "Waits until a table, a group or an announced batch is complete.",
      "Exit codes: 0 complete; 1 not complete when the timeout ended, for a group also because of a"
          + " hold in a member; 2 wrong usage or configuration; 3 an operator must act; 4 unknown."
    })
final class WaitCommand implements Callable<Integer> {
  // Example: 30m
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(s|m|h|d)");

  @Mixin private ConnectorOptions connector = new ConnectorOptions();

  @Option(
      names = "--table",
      paramLabel = "DB.TABLE",
      description = "a table, such as default.orders")
  private Optional<String> table = Optional.empty();

  @Option(names = "--group", paramLabel = "NAME", description = "a group of completeness.groups")
  private Optional<String> group = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "ID",
      description = "an announced batch; needs no --until")
  private Optional<String> batch = Optional.empty();

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "a time with its zone, such as 2026-11-21T08:00Z")
  private Optional<String> until = Optional.empty();

  @Option(
      names = "--now",
      description = "wait for all records that Kafka has now; requests a snapshot at once")
  private boolean now;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "the longest wait: 90s, 30m (the default), 2h, 1d")
  private String timeout = "30m";

  private final Console console;

  /** The requested snapshot; present with {@code --now}. */
  private Optional<AskedSnapshot> asked = Optional.empty();

  WaitCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (Stream.of(table, group, batch).filter(Optional::isPresent).count() != 1) {
      throw new CommandFailure(ExitCode.USAGE, "wait: name one of --table, --group and --batch.");
    }
    if (batch.isPresent() && (until.isPresent() || now)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "wait: --batch waits for all records of a batch, whenever they arrive. Remove --until and"
              + " --now.");
    }
    if (batch.isEmpty() && until.isPresent() == now) {
      throw new CommandFailure(ExitCode.USAGE, "wait: name either --until or --now.");
    }
    Instant started = console.clock().instant();
    Instant deadline = started.plus(duration(timeout));
    Optional<Instant> target =
        until.isPresent() ? Optional.of(instant(until.get())) : Optional.empty();
    try (Deployment deployment = connector.open()) {
      if (now) {
        AskedSnapshot snapshot = AskedSnapshot.ask(deployment, console, started);
        asked = Optional.of(snapshot);
        target = Optional.of(snapshot.at());
      }
      return waitFor(deployment, target.orElse(started), deadline).number();
    }
  }

  private ExitCode waitFor(Deployment deployment, Instant target, Instant deadline)
      throws CommandFailure, CorruptLogException, InterruptedException {
    String shown = "";
    while (true) {
      Look look = look(deployment, target);
      if (look.code() == ExitCode.YES) {
        console.print(List.of(look.text()));
        return ExitCode.YES;
      }
      if (!look.reason().equals(shown)) {
        console.note(List.of(console.clock().instant() + " " + look.text()));
        shown = look.reason();
      }
      if (!console.clock().instant().plus(console.poll()).isBefore(deadline)) {
        console.note(
            List.of("tidemark: the timeout of %s is over. %s".formatted(timeout, look.text())));
        return look.code();
      }
      Thread.sleep(console.poll().toMillis());
    }
  }

  /**
   * The state that one check found.
   *
   * @param reason the text is printed again when the reason changes
   */
  record Look(ExitCode code, String reason, String text) {}

  private Look look(Deployment deployment, Instant target)
      throws CommandFailure, CorruptLogException {
    Ledger ledger;
    boolean taken;
    try {
      // Check this before reading the ledger: a ledger read later contains the snapshot.
      taken = asked.isPresent() && asked.get().taken();
      ledger = deployment.ledger(deployment.folders().logId(), console.clock()).read();
    } catch (IOException e) {
      String text = "the store does not answer: " + PrintableText.of(e);
      return new Look(ExitCode.UNKNOWN, "store", text);
    }
    ConnectorState state = deployment.state();
    Status status =
        Status.of(
            deployment.connector(),
            state,
            ledger,
            deployment.interval(),
            deployment::prevents,
            List.of(),
            console.clock().instant());
    if (batch.isPresent()) {
      return new BatchLook(deployment, status, ledger).of(batch.get());
    }
    String kind = table.isPresent() ? "table" : "group";
    String name = table.or(() -> group).orElseThrow();
    Optional<Subject> found = status.find(kind, name);
    if (found.isEmpty() || (group.isPresent() && !deployment.declares(name))) {
      return absent(deployment, status, kind, name);
    }
    Optional<GroupState> known = Optional.ofNullable(ledger.state().groups().get(name));
    if (group.isPresent()
        && known.filter(each -> each.members().equals(deployment.members(name))).isEmpty()) {
      return redefined(deployment, status, name);
    }
    Subject subject = found.get();
    if (isComplete(subject, target, taken, ledger)) {
      return new Look(
          ExitCode.YES,
          "",
          "%s %s is complete through %s"
              .formatted(kind, subject.name(), subject.through().orElseThrow()));
    }
    Held held =
        subject
            .held()
            .orElse(
                new Held(
                    "WAITS",
                    "the requested time is in the future, or Kafka has not been asked since",
                    "Wait for the next snapshot"));
    String text =
        "%s %s is complete through %s: %s"
            .formatted(
                kind,
                subject.name(),
                subject.through().map(Instant::toString).orElse("never"),
                String.join(" ", StatusText.held("", held)));
    return new Look(code(held), held.reason(), text);
  }

  /** With {@code --now} the snapshot decides for a table, and the instant for a group. */
  private boolean isComplete(Subject subject, Instant target, boolean taken, Ledger ledger) {
    if (asked.isPresent() && table.isPresent()) {
      return taken && asked.get().isCovered(ledger, table.get());
    }
    return subject.through().filter(instant -> !instant.isBefore(target)).isPresent();
  }

  /** Returns the result for a group whose members differ between ledger and configuration. */
  private static Look redefined(Deployment deployment, Status status, String name) {
    return new Look(
        status.away().isPresent() ? ExitCode.UNKNOWN : ExitCode.NOT_YET,
        "redefined",
        "group %s has other members in the configuration than in the ledger: %s. The connector adopts them when it evaluates completeness next."
            .formatted(PrintableText.of(name), String.join(", ", deployment.members(name))));
  }

  static ExitCode code(Held held) {
    return switch (held.reason()) {
      case "LOST",
          "DELETED",
          "UNSEEN",
          "GAP",
          "DEAD_LETTERED",
          "NOT_SHOWN",
          "NAME_TAKEN",
          "NOT_CONFIGURED",
          "OVER",
          "CONTRADICTED" ->
          ExitCode.OPERATOR;
      case "RECKONER_AWAY", "SERVICE_AWAY", "UNKNOWN" -> ExitCode.UNKNOWN;
      default -> ExitCode.NOT_YET;
    };
  }

  private static Look absent(Deployment deployment, Status status, String kind, String name)
      throws CommandFailure {
    String printable = PrintableText.of(name);
    if (kind.equals("group") && !deployment.declares(name)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--group %s: completeness.groups of connector %s declares no such group. Correct the name, or declare the group."
              .formatted(printable, deployment.connector()));
    }
    String known =
        String.join(
            ", ",
            status.subjects().stream()
                .filter(each -> each.kind().equals(kind))
                .map(Subject::name)
                .toList());
    String text =
        "the ledger has no %s %s; it has %s. No record of it has landed yet, or the name is wrong."
            .formatted(kind, printable, known.isEmpty() ? "none" : known);
    return new Look(
        status.away().isPresent() ? ExitCode.UNKNOWN : ExitCode.NOT_YET, "absent", text);
  }

  private static Instant instant(String text) throws CommandFailure {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--until %s: this is not a time with its zone. Write it as 2026-11-21T08:00Z or 2026-11-21T09:00+01:00."
              .formatted(PrintableText.of(text)),
          e);
    }
  }

  private static Duration duration(String text) throws CommandFailure {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--timeout %s: this is not a duration. Write it as 90s, 30m, 2h or 1d."
              .formatted(PrintableText.of(text)));
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
