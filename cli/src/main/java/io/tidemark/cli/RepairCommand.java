package io.tidemark.cli;

import io.tidemark.cli.audit.AuditServices;
import io.tidemark.cli.audit.PendingWork;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.cli.status.OpenHold;
import io.tidemark.completeness.decide.Acknowledgement;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.ReadOnlyCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark repair}: applies decisions of an operator. Changes nothing by default. */
@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    description = {
      "Acknowledges holds, and releases or retires topics; without any, restarts tasks to finish"
          + " pending work.",
      "Without --execute it only lists what it would do.",
      "Exit codes: 0 the changes were made or listed; 2 wrong usage or configuration; 3 a log or"
          + " the ledger is damaged, or a table in Hive is not the connector's; 4 a service is"
          + " unavailable."
    })
final class RepairCommand implements Callable<Integer> {
  @Mixin private ConnectorOptions connector = new ConnectorOptions();

  @Option(
      names = "--acknowledge",
      paramLabel = "HOLD",
      description = "a hold as status shows it, such as orders-1@100-250; may be repeated")
  private List<String> acknowledge = new ArrayList<>();

  @Option(
      names = "--release",
      paramLabel = "TOPIC",
      description = "a topic that was removed from the configuration; tables no longer wait for it")
  private List<String> release = new ArrayList<>();

  @Option(
      names = "--retire",
      paramLabel = "TOPIC",
      description =
          "a topic to which producers no longer write; it may be deleted once its tables cover a"
              + " later snapshot (tidemark wait --now)")
  private List<String> retire = new ArrayList<>();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "the reason, which the ledger keeps")
  private String reason = "";

  @Option(names = "--execute", description = "apply the changes")
  private boolean execute;

  private final Console console;
  private final AuditServices services;

  RepairCommand(Console console, AuditServices services) {
    this.console = console;
    this.services = services;
  }

  @Override
  public Integer call() throws Exception {
    if (acknowledge.isEmpty() && release.isEmpty() && retire.isEmpty()) {
      return finish().number();
    }
    if (reason.isBlank()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "repair: --reason is missing. The ledger and manifests keep it for later readers. Add"
              + " --reason TEXT.");
    }
    try (Deployment deployment = connector.open()) {
      requireReleasable(deployment);
      OperatorRepair repair =
          new OperatorRepair(
              deployment.ledger(deployment.folders().logId(), console.clock()),
              deployment.ledgerTables(),
              console.clock());
      Set<OpenHold> meant = meant(OpenHold.of(repair.open()));
      for (OpenHold open : meant) {
        console.print(
            List.of(
                "acknowledge %s %s: %s"
                    .formatted(open.hold().kind(), open.argument(), open.problem())));
      }
      for (String topic : release) {
        console.print(List.of("release the topic " + PrintableText.of(topic)));
      }
      for (String topic : retire) {
        console.print(
            List.of(
                "retire the topic %s: delete it only after a later tidemark wait --now has ended for each of its tables"
                    .formatted(PrintableText.of(topic))));
      }
      apply(repair, meant.stream().map(OpenHold::hold).collect(Collectors.toSet()));
      if (!execute) {
        console.print(List.of("Nothing was changed. Add --execute to apply these changes."));
        return ExitCode.YES.number();
      }
      console.print(List.of("Done. The connector applies it when it evaluates completeness next."));
      return ExitCode.YES.number();
    }
  }

  /**
   * Lists the unfinished work of tasks, and restarts the tasks. Each restarted task claims its
   * logs, which fences any other task, and recovers. Only the owner of a log may change it; the
   * connector settles logs that no task is given.
   */
  private ExitCode finish()
      throws CommandFailure,
          IOException,
          CorruptLogException,
          CatalogUnavailableException,
          CatalogConflictException {
    try (Deployment deployment = connector.open()) {
      List<String> pending = pending(deployment);
      if (pending.isEmpty()) {
        console.print(List.of("Nothing waits to be published, registered, accounted or removed."));
        return ExitCode.YES;
      }
      console.print(pending);
      if (!execute) {
        console.print(
            List.of(
                "Nothing was changed. Add --execute: the restarted tasks do this work for the"
                    + " topic-partitions that they are given. For others, such as those of a"
                    + " deleted topic, the restarted connector publishes, registers and accounts;"
                    + " their leftovers stay until a task claims the log again."));
        return ExitCode.YES;
      }
      ConnectorState state = deployment.state();
      if (state.known() && !state.running() && !state.connector().equals("FAILED")) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "repair: the connector is %s, so a restart would start no task. Resume it: PUT /connectors/%s/resume. Its tasks then finish the work."
                .formatted(state.connector(), PrintableText.of(deployment.connector())));
      }
      deployment.restart();
      console.print(
          List.of(
              "Connect restarts the connector and its tasks. Run the command again in a minute to"
                  + " check that nothing waits."));
      return ExitCode.YES;
    }
  }

  private List<String> pending(Deployment deployment)
      throws CommandFailure,
          IOException,
          CorruptLogException,
          CatalogUnavailableException,
          CatalogConflictException {
    if (!deployment.services().hasCatalog()) {
      return new PendingWork(deployment, Optional.empty(), console.clock()).find();
    }
    deployment.requireResolved(ConnectorServices.CATALOG_KEY);
    try (ReadOnlyCatalog catalog = services.catalog(deployment.services())) {
      return new PendingWork(deployment, Optional.of(catalog), console.clock()).find();
    }
  }

  /** Applies all changes, or without {@code --execute} checks whether they can be applied. */
  private void apply(OperatorRepair repair, Set<Hold> meant)
      throws IOException, CorruptLogException, CommandFailure {
    Acknowledgement wanted =
        new Acknowledgement(
            System.getProperty("user.name", "unknown"),
            reason,
            meant::contains,
            Set.copyOf(release),
            Set.copyOf(retire));
    try {
      if (execute) {
        repair.apply(wanted);
      } else {
        repair.check(wanted);
      }
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "repair: " + PrintableText.messageOf(e), e);
    }
  }

  private Set<OpenHold> meant(List<OpenHold> open) throws CommandFailure {
    Set<OpenHold> meant = new LinkedHashSet<>();
    for (String argument : acknowledge) {
      List<OpenHold> named = open.stream().filter(each -> isNamed(each, argument)).toList();
      if (named.isEmpty()) {
        String known = open.stream().map(OpenHold::argument).collect(Collectors.joining(", "));
        throw new CommandFailure(
            ExitCode.USAGE,
            "--acknowledge %s: the ledger has no such open hold; it has %s. The hold may be acknowledged already. Copy the argument from tidemark status."
                .formatted(PrintableText.of(argument), known.isEmpty() ? "none" : known));
      }
      meant.addAll(named);
    }
    return meant;
  }

  /** Returns whether an argument names a hold. A topic's name names its {@code DELETED} holds. */
  private static boolean isNamed(OpenHold open, String argument) {
    return open.argument().equals(argument)
        || (open.hold().kind() == HoldKind.DELETED && open.hold().topic().equals(argument));
  }

  private void requireReleasable(Deployment deployment) throws CommandFailure {
    for (String topic : release) {
      if (deployment.services().reads(topic)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "--release %s: the connector's configuration has this topic, so its tables would wait for it again. Remove it from topics, or exclude it from topics.regex, first."
                .formatted(PrintableText.of(topic)));
      }
    }
  }
}
