package io.tidemark.connect.intake;

import io.tidemark.connect.staging.Binding;
import io.tidemark.connect.staging.Bindings;
import io.tidemark.registry.wire.Framing;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.BatchIdTally;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordPlace;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts, on the task's thread, the records of an open batch that belong to announced batches. */
final class AnnouncedRecords {
  private static final Logger LOG = LoggerFactory.getLogger(AnnouncedRecords.class);

  private final TopicPartition topicPartition;
  private final BatchIdTally tally = new BatchIdTally();
  private boolean warned;

  // Id and framing of the previous record: records of one announced batch are mostly adjacent.
  private @Nullable BatchId lastId;
  private @Nullable Framing lastFraming;
  private Bindings lastBindings = Bindings.NONE;
  private @Nullable BatchIdCounter lastCounter;

  AnnouncedRecords(TopicPartition topicPartition) {
    this.topicPartition = topicPartition;
  }

  /** Counts a record that is to land. Returns the counter to correct for a dead letter; or null. */
  // The framing (schema id and start of the datum) is compared by reference, because equal framings
  // mostly share one object. If they do not, this costs only a lookup.
  @SuppressWarnings("ReferenceEquality")
  @Nullable BatchIdCounter take(IncomingRecord record, Framing framing, Bindings bindings) {
    BatchId id = record.batchId();
    if (id == null) {
      return null;
    }
    BatchIdCounter counter = lastCounter;
    if (counter == null
        || framing != lastFraming
        || bindings != lastBindings
        || !id.equals(lastId)) {
      counter =
          isUsable(id, record)
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

  private static List<String> tables(Framing framing, Bindings bindings) {
    Binding binding = Objects.requireNonNull(bindings.find(framing.id()));
    return binding
        .route()
        .map(route -> route.values().tables())
        .orElseGet(() -> List.of(binding.table()))
        .stream()
        .map(table -> table.name().toString())
        .toList();
  }

  /** Returns the counter, which counts a record when it is accepted as a dead letter. */
  Optional<BatchIdCounter> reject(IncomingRecord record) {
    BatchId id = record.batchId();
    return id != null && isUsable(id, record)
        ? tally.counter(id.text(), Optional.empty())
        : Optional.empty();
  }

  void skip(IncomingRecord record) {
    BatchId id = record.batchId();
    if (id != null && isUsable(id, record)) {
      tally.skip(id.text());
    }
  }

  private boolean isUsable(BatchId id, IncomingRecord record) {
    if (!id.isUsable() && !warned) {
      warned = true;
      LOG.warn(
          "{}: {} The record is counted for no announced batch. More such records in this flush are not logged.",
          new RecordPlace(topicPartition, record.offset()),
          PrintableText.line(id.problem()));
    }
    return id.isUsable();
  }

  /** Returns the counts. All dead letters must be known. */
  BatchIdCounts counts() {
    return tally.counts();
  }
}
