package io.tidemark.store.publish;

import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.NumberedEntry;
import java.util.List;

/**
 * The work of a new owner on the entries before its claim: those with files that are possibly not
 * in their tables yet, and the batches that are possibly not in the catalog yet, in order.
 */
public record RecoveryPlan(
    List<NumberedEntry<CommitEntry>> publish, List<NumberedEntry<CommitEntry>> register) {

  public RecoveryPlan {
    publish = List.copyOf(publish);
    register = List.copyOf(register);
  }

  /** Returns the number above which entries must be read for the plan. */
  public static long readAfter(LogState state) {
    return Math.min(state.publishedThrough(), state.registeredThrough());
  }

  /** {@code state} is that of the claim; {@code entries} are those above {@link #readAfter}. */
  public static RecoveryPlan of(LogState state, List<NumberedEntry<CommitEntry>> entries) {
    List<NumberedEntry<CommitEntry>> batches =
        entries.stream().filter(entry -> entry.entry().asBatch().isPresent()).toList();
    return new RecoveryPlan(
        batches.stream().filter(entry -> entry.number() > state.publishedThrough()).toList(),
        batches.stream().filter(entry -> entry.number() > state.registeredThrough()).toList());
  }
}
