package io.tidemark.cli.status;

import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The state of a connector's ledger at one time.
 *
 * @param ledgerEntry the number of the ledger's last entry; 0 if there is no ledger
 * @param at the time at which the ledger was read
 * @param lastAsked the time at which Kafka was last asked for end offsets
 * @param away the reason why completeness is not evaluated; empty if it is
 * @param batches the announced batches, by id
 * @param waits the waits of tasks that may need an operator, with what to do
 */
public record Status(
    String connector,
    ConnectorState state,
    long ledgerEntry,
    Instant at,
    Optional<Instant> lastAsked,
    Optional<Held> away,
    List<Subject> subjects,
    List<BatchStatus> batches,
    List<OpenHold> holds,
    List<String> waits) {

  public Status {
    subjects = List.copyOf(subjects);
    batches = List.copyOf(batches);
    holds = List.copyOf(holds);
    waits = List.copyOf(waits);
  }

  /**
   * Creates the status.
   *
   * @param interval the time between two snapshots; without a snapshot for two intervals,
   *     completeness is not evaluated
   * @param holds whether a hold must be acknowledged, according to the configuration
   * @param waits the waits of tasks, from their accounts
   */
  public static Status of(
      String connector,
      ConnectorState state,
      Ledger ledger,
      Duration interval,
      Predicate<Hold> holds,
      List<String> waits,
      Instant now) {
    Optional<Instant> lastAsked =
        Stream.concat(
                ledger.state().topics().values().stream().flatMap(t -> t.askedAt().stream()),
                ledger.snapshots().values().stream().map(snapshot -> snapshot.askedAt()))
            .max(Comparator.naturalOrder());
    Optional<Held> away = away(connector, state, ledger, interval, lastAsked, now);
    Cures cures = new Cures(connector, state);
    Function<HeldBecause, Held> reasons = because -> away.orElseGet(() -> held(because, cures));
    List<Subject> subjects = new ArrayList<>();
    for (Map.Entry<String, TableState> each : ledger.state().tables().entrySet()) {
      TableState table = each.getValue();
      Optional<Held> held = table.held().map(reasons).or(() -> away);
      subjects.add(
          subject("table", each.getKey(), table.through(), askedAt(ledger, table), held, now));
    }
    for (Map.Entry<String, GroupState> each : ledger.state().groups().entrySet()) {
      GroupState group = each.getValue();
      Optional<Held> held = group.held().map(reasons).or(() -> away);
      subjects.add(subject("group", each.getKey(), group.through(), Optional.empty(), held, now));
    }
    for (Map.Entry<String, TopicState> each : ledger.state().topics().entrySet()) {
      Optional<Held> held =
          each.getValue().held().filter(why -> why.reason().equals("NAME_TAKEN")).map(reasons);
      if (held.isPresent()) {
        subjects.add(
            subject("topic", each.getKey(), Optional.empty(), Optional.empty(), held, now));
      }
    }
    return new Status(
        PrintableText.of(connector),
        state,
        ledger.number(),
        now,
        lastAsked,
        away,
        subjects,
        batches(ledger, away, cures),
        OpenHold.of(ledger.state().holds()).stream()
            .filter(open -> holds.test(open.hold()))
            .toList(),
        waits.stream().map(PrintableText::line).toList());
  }

  private static Subject subject(
      String kind,
      String name,
      Optional<Instant> through,
      Optional<Instant> askedAt,
      Optional<Held> held,
      Instant now) {
    return new Subject(
        kind,
        PrintableText.line(name),
        through,
        askedAt,
        through.map(time -> Duration.between(time, now)),
        held);
  }

  private static List<BatchStatus> batches(Ledger ledger, Optional<Held> away, Cures cures) {
    List<BatchStatus> batches = new ArrayList<>();
    ledger
        .state()
        .announcements()
        .ifPresent(
            all ->
                all.open()
                    .forEach(
                        (id, batch) -> {
                          Optional<Held> held =
                              batch
                                  .held(ledger.state().topics())
                                  .map(because -> held(because, cures));
                          // A verdict stays true. Without a verdict the batch waits, too.
                          batches.add(
                              BatchStatus.of(
                                  id,
                                  batch,
                                  batch.verdict().isEmpty() ? away.or(() -> held) : held));
                        }));
    return batches;
  }

  private static Held held(HeldBecause because, Cures cures) {
    return new Held(
        PrintableText.of(because.reason()),
        PrintableText.line(because.detail()),
        cures.of(because));
  }

  private static Optional<Instant> askedAt(Ledger ledger, TableState table) {
    Optional<Instant> earliest = Optional.empty();
    for (String name : table.topics()) {
      TopicState topic = ledger.state().topic(name);
      if (topic.askedAt().isEmpty()) {
        return Optional.empty();
      }
      Instant asked = topic.askedAt().get();
      earliest = earliest.filter(each -> each.isBefore(asked)).or(() -> Optional.of(asked));
    }
    return earliest;
  }

  private static Optional<Held> away(
      String connector,
      ConnectorState state,
      Ledger ledger,
      Duration interval,
      Optional<Instant> lastAsked,
      Instant now) {
    if (lastAsked
        .filter(asked -> !asked.isBefore(now.minus(interval.multipliedBy(2))))
        .isPresent()) {
      return Optional.empty();
    }
    String since =
        ledger.number() == 0
            ? "there is no ledger yet"
            : lastAsked
                .map(asked -> "Kafka was last asked for end offsets at " + asked)
                .orElse("Kafka was never asked for end offsets");
    String name = PrintableText.of(connector);
    if (state.known() && !state.running()) {
      return Optional.of(
          new Held(
              "RECKONER_AWAY",
              since + ", and Connect reports that the connector is " + state.connector(),
              state.connector().equals("FAILED")
                  ? "See its trace in GET /connectors/%s/status, correct the cause, then POST /connectors/%s/restart"
                      .formatted(name, name)
                  : "Resume it: PUT /connectors/%s/resume".formatted(name)));
    }
    return Optional.of(
        new Held(
            "UNKNOWN",
            since
                + (state.known()
                    ? ", although Connect reports that the connector is RUNNING"
                    : ", and Connect does not answer whether the connector runs"),
            "Look for \"tidemark-ledger-%s\" in the workers' logs; check completeness.enabled and ledger.dir"
                .formatted(name)));
  }

  /** Returns a table or a group by its name. */
  public Optional<Subject> find(String kind, String name) {
    return subjects.stream()
        .filter(each -> each.kind().equals(kind) && each.name().equals(name))
        .findFirst();
  }

  /** Returns whether only an operator can end the wait, although no hold is open. */
  private static boolean operator(Held held) {
    return switch (held.reason()) {
      case "NAME_TAKEN", "NOT_CONFIGURED", "NOT_SHOWN" -> true;
      default -> false;
    };
  }

  /** Returns the exit code of {@code status}. */
  public ExitCode exitCode() {
    if (!holds.isEmpty()
        || subjects.stream().flatMap(each -> each.held().stream()).anyMatch(Status::operator)) {
      return ExitCode.OPERATOR;
    }
    if (away.isPresent()
        || subjects.isEmpty()
        || subjects.stream()
            .flatMap(each -> each.held().stream())
            .anyMatch(held -> held.reason().equals("SERVICE_AWAY"))) {
      return ExitCode.UNKNOWN;
    }
    return subjects.stream().allMatch(each -> each.held().isEmpty() && each.through().isPresent())
        ? ExitCode.YES
        : ExitCode.NOT_YET;
  }
}
