package io.tidemark.connect.pipeline;

import io.tidemark.connect.staging.LandingPlanner;
import io.tidemark.connect.staging.LandingPlans;
import io.tidemark.connect.table.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The plans of one topic within a task. Asked by the task's thread; a schema id that is not known
 * yet is resolved behind it, once, however many topic-partitions wait.
 */
final class TopicPlans {
  private final String topic;
  private final LandingPlanner planner;
  private final Retries retries;
  private final BooleanSupplier wanted;
  private final Map<Integer, CompletableFuture<Void>> resolving = new HashMap<>();
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private volatile LandingPlans plans = LandingPlans.NONE;

  TopicPlans(String topic, LandingPlanner planner, Retries retries, BooleanSupplier wanted) {
    this.topic = topic;
    this.planner = planner;
    this.retries = retries;
    this.wanted = wanted;
  }

  Table table() {
    return planner.table();
  }

  LandingPlans plans() {
    return plans;
  }

  /** Completes when {@link #plans} has the schema id; fails when it never will. */
  CompletableFuture<Void> resolve(int schemaId) {
    CompletableFuture<Void> known = resolving.get(schemaId);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<Void> resolved =
        last.handle((done, failure) -> null)
            .thenCompose(
                ready ->
                    retries.untilDone(
                        topic + ": schema id " + schemaId, wanted, () -> extend(schemaId)));
    resolving.put(schemaId, resolved);
    last = resolved;
    return resolved;
  }

  private void extend(int schemaId) throws Exception {
    plans = planner.extend(plans, schemaId);
  }
}
