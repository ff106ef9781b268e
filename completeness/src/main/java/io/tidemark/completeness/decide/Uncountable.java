package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AccountedEntry;
import java.util.Optional;

/** Finds records of an entry that may belong to any announced batch. */
final class Uncountable {
  private Uncountable() {}

  /** Returns the reason why the batches are unknown; empty if the entry has no such records. */
  static Optional<String> in(AccountedEntry entry) {
    Optional<String> what =
        entry.match(
            claim -> Optional.empty(),
            batch -> {
              long mixed = batch.batchIds().mixed();
              long lost = batch.counts().lost();
              return mixed > 0
                  ? Optional.of(mixed + " records are of more batches than an entry counts")
                  : lost > 0 ? Optional.of(lost + " records were lost") : Optional.empty();
            },
            skip -> Optional.of(skip.range().size() + " offsets were skipped by an operator"),
            checkpoint -> Optional.empty());
    return what.map(
        happened ->
            "%s in entry %d of topic-partition %d"
                .formatted(happened, entry.number(), entry.topicPartition()));
  }
}
