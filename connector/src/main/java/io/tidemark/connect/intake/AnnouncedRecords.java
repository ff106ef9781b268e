package io.tidemark.connect.intake;

import io.tidemark.connect.staging.BindingSnapshot;
import io.tidemark.connect.staging.WriterBinding;
import io.tidemark.registry.wire.Framing;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.BatchIdTally;
import io.tidemark.store.batch.RecordPlace;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the records of an open batch that belong to announced batches. The task's thread counts
 * the records. The counts are read after the last record.
 */
final class AnnouncedRecords {
  private static final Logger LOG = LoggerFactory.getLogger(AnnouncedRecords.class);

  private final TopicPartition topicPartition;
  private final BatchIdTally tally = new BatchIdTally();
  private boolean warned;

  // Id and framing of the previous record: records of one announced batch are mostly adjacent.
  private @Nullable BatchId lastId;
  private @Nullable Framing lastFraming;
  private BindingSnapshot lastBindings = BindingSnapshot.NONE;
  private @Nullable BatchIdCounter lastCounter;

  AnnouncedRecords(TopicPartition topicPartition) {
    this.topicPartition = topicPartition;
  }

  /**
   * Counts a record that is to land.
   *
   * @return the counter to correct if the record becomes a dead letter; null if the record is not
   *     counted by id
   */
  // The framing (schema id and start of the datum) is compared by reference, because equal framings
  // mostly share one object. If they do not, this costs only a lookup.
  @SuppressWarnings("ReferenceEquality")
  @Nullable BatchIdCounter take(
      BatchId id, long offset, Framing framing, BindingSnapshot bindings) {
    BatchIdCounter counter = lastCounter;
    if (counter == null
        || framing != lastFraming
        || bindings != lastBindings
        || !id.equals(lastId)) {
      counter =
          isUsable(id, offset)
              ? tally.counter(id.text(), tables(framing, bindings)).orElse(null)
              : null;
      lastId = id;
      lastFraming = framing;
      lastBindings = bindings;
      lastCounter = counter;
    }
    if (counter != null) {
      counter.count();
    }
    return counter;
  }

  private static List<String> tables(Framing framing, BindingSnapshot bindings) {
    WriterBinding binding = Objects.requireNonNull(bindings.find(framing.id()));
    return binding
        .route()
        .map(route -> route.values().tables())
        .orElseGet(() -> List.of(binding.table()))
        .stream()
        .map(table -> table.name().toString())
        .toList();
  }

  /**
   * Returns the counter of a record that cannot land. It counts the record when the record is
   * accepted as a dead letter.
   */
  Optional<BatchIdCounter> reject(BatchId id, long offset) {
    return isUsable(id, offset) ? tally.counter(id.text(), Optional.empty()) : Optional.empty();
  }

  /** Counts a record that a configured policy skips. */
  void skip(BatchId id, long offset) {
    if (isUsable(id, offset)) {
      tally.skip(id.text());
    }
  }

  private boolean isUsable(BatchId id, long offset) {
    if (!id.isUsable() && !warned) {
      warned = true;
      LOG.warn(
          "{}: {} The record is counted for no announced batch. More such records in this flush are not logged.",
          new RecordPlace(topicPartition, offset),
          PrintableText.line(id.problem()));
    }
    return id.isUsable();
  }

  /**
   * Returns the counts. Call this method after the last record, when all dead letters are known.
   */
  BatchIdCounts counts() {
    return tally.counts();
  }
}
