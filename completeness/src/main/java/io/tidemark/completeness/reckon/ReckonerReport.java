package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Completeness;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.LedgerState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the health of a reckoner. One thread writes; any thread may call {@link #health}. */
final class ReckonerReport {
  private final Map<String, Instant> newestCompletion = new HashMap<>();
  private volatile ReckonerHealth health = ReckonerHealth.NONE;

  ReckonerHealth health() {
    return health;
  }

  void completed(List<Completion> completions, Instant now) {
    for (Completion completion : completions) {
      newestCompletion.put(completion.total().table().toString(), now);
    }
  }

  /** Updates the health after a successful cycle. */
  void cycle(Optional<OwnedLedger> owned, Instant at, Optional<String> problem) {
    Map<String, Instant> through = new HashMap<>(health.through());
    Map<String, String> held = new HashMap<>(health.held());
    int pending = health.pending();
    if (owned.isPresent()) {
      LedgerState state = owned.get().ledger().state();
      Completeness now = Completeness.of(state);
      through.clear();
      now.through().forEach((name, time) -> time.ifPresent(known -> through.put(name, known)));
      held.clear();
      now.held().forEach((name, why) -> held.put(name, why.map(Object::toString).orElse("")));
      pending = state.pending().size();
    }
    health =
        new ReckonerHealth(
            owned.isPresent(),
            through,
            held,
            pending,
            newestCompletion,
            Optional.of(at),
            owned.map(OwnedLedger::clockAgrees).orElse(health.clockAgrees()),
            problem);
  }
}
