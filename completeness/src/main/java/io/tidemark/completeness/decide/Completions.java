package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.partition.PartitionSpan;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decides which Hive partitions are complete, and with how many records. */
record Completions(Draft draft) {
  /** Sums the batches of topics that have their own table, by Hive partition. */
  void sum() {
    SortedMap<HivePartitionId, HivePartitionTotal> sums = new TreeMap<>();
    for (SettledEntry.Batch batch : draft.batches) {
      if (!draft.findings.topics().nameTaken().containsKey(batch.topic())) {
        batch.sums().forEach(sum -> sums.merge(sum.id(), total(sum), HivePartitionTotal::plus));
      }
    }
    draft.sums = List.copyOf(sums.values());
    draft.totals = draft.ledger.plus(draft.sums);
  }

  private HivePartitionTotal total(HivePartitionSum sum) {
    OpenTotal before = draft.ledger.totals().get(sum.id());
    Optional<Instant> from = before == null ? Optional.empty() : before.total().from();
    Optional<Instant> until = before == null ? Optional.empty() : before.total().until();
    if (until.isEmpty()) {
      // The span may be known only now: the configuration may have been another one.
      Optional<PartitionSpan> span = draft.spans.of(sum.id(), sum.minTimestamp());
      from = span.map(PartitionSpan::from);
      until = span.map(PartitionSpan::until);
    }
    Optional<Instant> complete =
        Optional.ofNullable(draft.before.tables().get(sum.table().toString()))
            .flatMap(TableState::through);
    boolean late =
        until.isPresent() && complete.isPresent() && !until.get().isAfter(complete.get());
    HivePartitionTotal total =
        new HivePartitionTotal(
            sum.table(),
            sum.hivePartition(),
            from,
            until,
            sum.records(),
            sum.bytes(),
            sum.files(),
            late ? sum.records() : 0,
            false);
    return before == null && draft.ledger.mayBeForgotten(total) ? total.asPartial() : total;
  }

  /**
   * Completes Hive partitions with records, the earliest first. Those that readers do not see do
   * not count towards the limit of completions.
   */
  void complete() {
    draft.totals.values().stream()
        .filter(open -> !draft.findings.look().unseen.contains(open.total().id()))
        .filter(this::due)
        .sorted(
            Comparator.comparing((OpenTotal open) -> open.total().until().orElseThrow())
                .thenComparing(open -> open.total().id()))
        .limit(LedgerEntry.Reckoning.COMPLETIONS_MOST)
        .forEach(open -> complete(open.total()));
  }

  private boolean due(OpenTotal open) {
    String table = open.total().table().toString();
    Instant through = draft.through.get(table);
    if (through == null
        || open.total().until().isEmpty()
        || open.total().until().get().isAfter(through)) {
      return false;
    }
    TableState state = draft.tables.get(table);
    if (state != null && state.refuses(open.total().hivePartition().path())) {
      return true; // Completed again, so that the manifest is put again.
    }
    if (open.completedAt().isEmpty()) {
      return open.total().late() == 0 || hasAdvanced(table);
    }
    return open.changed()
        && hasAdvanced(table)
        && !draft.now.isBefore(open.completedAt().get().plus(draft.settings.revisionInterval()));
  }

  /** Returns whether the completeness of a table has advanced, or the table is new. */
  private boolean hasAdvanced(String name) {
    TableState now = draft.tables.get(name);
    TableState before = draft.before.tables().get(name);
    return now != null && (before == null || !before.through().equals(now.through()));
  }

  /** Completes a Hive partition of a table, with the earliest snapshot of the table's topics. */
  void complete(HivePartitionTotal total) {
    TableState table = draft.tables.get(total.table().toString());
    if (table == null) {
      return;
    }
    long snapshot = Long.MAX_VALUE;
    Instant askedAt = Instant.MAX;
    boolean whole = !total.partial();
    for (String name : table.topics()) {
      TopicState topic = draft.topic(name);
      snapshot = Math.min(snapshot, topic.snapshot());
      Instant asked = topic.askedAt().orElseThrow();
      askedAt = asked.isBefore(askedAt) ? asked : askedAt;
      whole &= topic.partialBefore().filter(total.from().orElseThrow()::isBefore).isEmpty();
    }
    draft.completions.add(new Completion(whole ? total : total.asPartial(), snapshot, askedAt));
  }
}
