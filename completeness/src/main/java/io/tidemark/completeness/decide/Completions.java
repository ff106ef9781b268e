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
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides which Hive partitions are complete, and with how many records.
 *
 * @param topics the topics after the decision
 */
record Completions(Ledger ledger, LedgerSettings settings, Map<String, TopicState> topics) {
  /** Returns the sums of batches by Hive partition. */
  List<HivePartitionTotal> sums(Collection<SettledEntry.Batch> batches, Spans spans) {
    SortedMap<HivePartitionId, HivePartitionTotal> sums = new TreeMap<>();
    for (SettledEntry.Batch batch : batches) {
      for (HivePartitionSum sum : batch.sums()) {
        sums.merge(sum.id(), total(sum, spans), HivePartitionTotal::plus);
      }
    }
    return List.copyOf(sums.values());
  }

  private HivePartitionTotal total(HivePartitionSum sum, Spans spans) {
    OpenTotal before = ledger.totals().get(sum.id());
    Optional<Instant> from;
    Optional<Instant> until;
    if (before == null || before.total().until().isEmpty()) {
      // The span may be known only now, because an earlier batch may have been read with another
      // configuration.
      Optional<PartitionSpan> span = spans.of(sum.id(), sum.minTimestamp());
      from = span.map(PartitionSpan::from);
      until = span.map(PartitionSpan::until);
    } else {
      from = before.total().from();
      until = before.total().until();
    }
    Optional<Instant> complete =
        Optional.ofNullable(ledger.state().tables().get(sum.table().toString()))
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
    return before == null && ledger.mayBeForgotten(total) ? total.asPartial() : total;
  }

  /**
   * Returns the completions, the earliest Hive partition first.
   *
   * @param totals the totals after all accounts that were read
   * @param unseen the Hive partitions that readers do not see. They do not count towards the limit
   *     of completions
   * @param complete by table, time through which all topics of the table are complete now
   * @param advanced the tables whose completeness has advanced
   */
  List<Completion> of(
      Collection<OpenTotal> totals,
      Set<HivePartitionId> unseen,
      Map<String, Instant> complete,
      Collection<String> advanced,
      Map<String, TableState> tables,
      Instant now) {
    return totals.stream()
        .filter(open -> !unseen.contains(open.total().id()))
        .filter(open -> due(open, complete, advanced, tables, now))
        .sorted(
            Comparator.comparing((OpenTotal open) -> open.total().until().orElseThrow())
                .thenComparing(open -> open.total().id()))
        .limit(LedgerEntry.Reckoning.COMPLETIONS_MOST)
        .flatMap(open -> completion(open.total(), tables).stream())
        .toList();
  }

  private boolean due(
      OpenTotal open,
      Map<String, Instant> complete,
      Collection<String> advanced,
      Map<String, TableState> tables,
      Instant now) {
    String table = open.total().table().toString();
    Instant through = complete.get(table);
    if (through == null
        || open.total().until().isEmpty()
        || open.total().until().get().isAfter(through)) {
      return false;
    }
    TableState state = tables.get(table);
    if (state != null && state.refuses(open.total().hivePartition().path())) {
      return true; // Completed again, so that the manifest is put again.
    }
    if (open.completedAt().isEmpty()) {
      return open.total().late() == 0 || advanced.contains(table);
    }
    return open.changed()
        && advanced.contains(table)
        && !now.isBefore(open.completedAt().get().plus(settings.revisionInterval()));
  }

  /** Returns the completions of empty Hive partitions. */
  List<Completion> ofEmpty(Collection<HivePartitionTotal> empties, Map<String, TableState> tables) {
    return empties.stream().flatMap(empty -> completion(empty, tables).stream()).toList();
  }

  /** Returns the completion of a Hive partition, with the earliest snapshot of its topics. */
  private Optional<Completion> completion(
      HivePartitionTotal total, Map<String, TableState> tables) {
    TableState table = tables.get(total.table().toString());
    if (table == null) {
      return Optional.empty();
    }
    long snapshot = Long.MAX_VALUE;
    Instant askedAt = Instant.MAX;
    boolean whole = !total.partial();
    for (String name : table.topics()) {
      TopicState topic = topics.getOrDefault(name, TopicState.unknown());
      snapshot = Math.min(snapshot, topic.snapshot());
      Instant asked = topic.askedAt().orElseThrow();
      askedAt = asked.isBefore(askedAt) ? asked : askedAt;
      whole &= topic.partialBefore().filter(total.from().orElseThrow()::isBefore).isEmpty();
    }
    return Optional.of(new Completion(whole ? total : total.asPartial(), snapshot, askedAt));
  }
}
