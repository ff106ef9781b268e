package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.SettledLog;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogListing;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A commit log whose entries are reduced to sums as soon as they are read.
 *
 * @param filesRead receives the number of files of each entry that was read
 */
record ReducedLog(TopicPartition of, CommitLog log, LongConsumer filesRead) implements SettledLog {

  @Override
  public Optional<Linked> entry(long number) throws IOException, CorruptLogException {
    return log.find(number).map(this::linked);
  }

  @Override
  public Optional<Linked> checkpoint(long number) throws IOException, CorruptLogException {
    return log.findCheckpoint(number).map(this::linked);
  }

  private Linked linked(NumberedEntry<CommitEntry> entry) {
    entry.entry().asBatch().ifPresent(batch -> filesRead.accept(batch.files().size()));
    return new Linked(SettledEntry.of(of.topic(), of.partition(), entry), entry.entry().before());
  }

  @Override
  public LogListing files() throws IOException {
    return log.list();
  }
}
