package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the health of a reckoner. One thread writes; any thread may call {@link #health}. */
final class ReckonerReport {
  private static final Logger LOG = LoggerFactory.getLogger(ReckonerReport.class);

  private final Map<String, Instant> newestCompletion = new HashMap<>();
  private Optional<String> kafkaProblem = Optional.empty();
  private volatile ReckonerHealth health = ReckonerHealth.NONE;

  ReckonerHealth health() {
    return health;
  }

  void kafkaAnswers() {
    kafkaProblem = Optional.empty();
  }

  /** Logs the first failure of each outage of Kafka. */
  void kafkaAway(IOException failure) {
    String problem =
        "No snapshot can be taken, so nothing more becomes complete: " + failure.getMessage();
    if (kafkaProblem.isEmpty()) {
      LOG.warn("{} The request is retried every 5 s.", problem, failure);
    }
    kafkaProblem = Optional.of(problem);
  }

  void completed(List<Completion> completions, Instant now) {
    for (Completion completion : completions) {
      newestCompletion.put(completion.total().table().toString(), now);
    }
  }

  /** Updates the health after a successful cycle. */
  void cycle(Optional<OwnedLedger> owned, Instant now, Optional<String> groupProblem) {
    LedgerState state = owned.map(OwnedLedger::ledger).map(Ledger::state).orElse(null);
    if (state == null) {
      health =
          new ReckonerHealth(
              false,
              health.through(),
              health.held(),
              health.pending(),
              newestCompletion,
              Optional.of(now),
              health.clockAgrees(),
              kafkaProblem.or(() -> groupProblem));
      return;
    }
    Map<String, Instant> through = new HashMap<>();
    Map<String, String> held = new HashMap<>();
    for (Map.Entry<String, TableState> each : state.tables().entrySet()) {
      note(each.getKey(), each.getValue().through(), each.getValue().held(), through, held);
    }
    for (Map.Entry<String, GroupState> each : state.groups().entrySet()) {
      String name = "group:" + each.getKey();
      note(name, each.getValue().through(), each.getValue().held(), through, held);
    }
    state
        .topics()
        .forEach(
            (name, topic) ->
                topic
                    .held()
                    .filter(why -> why.reason().equals("NAME_TAKEN"))
                    .ifPresent(why -> held.put("topic:" + name, why.toString())));
    health =
        new ReckonerHealth(
            true,
            through,
            held,
            state.pending().size(),
            newestCompletion,
            Optional.of(now),
            owned.orElseThrow().clockAgrees(),
            kafkaProblem.or(() -> groupProblem));
  }

  private static void note(
      String name,
      Optional<Instant> reached,
      Optional<HeldBecause> because,
      Map<String, Instant> through,
      Map<String, String> held) {
    reached.ifPresent(time -> through.put(name, time));
    held.put(name, because.map(HeldBecause::toString).orElse(""));
  }
}
