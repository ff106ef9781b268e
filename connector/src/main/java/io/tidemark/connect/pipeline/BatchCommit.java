package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.NotLanded;
import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.commit.AppendOutcome;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.OutcomeUnknownException;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicDirectory;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.staging.StagedFile;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one staged batch: checks that it can be published, then appends its entry. It is
 * run again after a failure of Kafka or the store, and then goes on where it stood: an append whose
 * outcome is unknown is settled before anything else. Used by one thread at a time.
 */
final class BatchCommit implements Retries.Step<AppendOutcome.Appended> {
  private final Storage storage;
  private final TopicDirectory topics;
  private final OpenedLog log;
  private final SealedBatch batch;
  private CommitEntry.@Nullable Batch unsettled;

  BatchCommit(Storage storage, TopicDirectory topics, OpenedLog log, SealedBatch batch) {
    this.storage = storage;
    this.topics = topics;
    this.log = log;
    this.batch = batch;
  }

  @Override
  public AppendOutcome.Appended run()
      throws IOException,
          CorruptLogException,
          FencedException,
          GenerationEndedException,
          TableBlockedException {
    OwnedLog owned = log.owned();
    while (true) {
      AppendOutcome outcome;
      CommitEntry.Batch entry = unsettled;
      try {
        if (entry != null) {
          outcome = owned.settle(entry);
        } else {
          prepare();
          entry =
              owned.draft(
                  batch.staged().identity().attempt(),
                  batch.range(),
                  batch.staged().landed(),
                  notLanded(),
                  batch.staged().files());
          outcome = owned.commit(entry);
        }
      } catch (OutcomeUnknownException e) {
        unsettled = entry;
        throw e;
      }
      unsettled = null;
      if (outcome instanceof AppendOutcome.Appended appended) {
        return appended;
      }
      if (outcome instanceof AppendOutcome.Collided collided) {
        throw new FencedException(owned.log().directory(), collided.winner());
      }
    }
  }

  /**
   * Nothing may be committed that cannot be published: the topic is the log's own, and every place
   * is there and free.
   */
  private void prepare()
      throws IOException,
          CorruptLogException,
          FencedException,
          GenerationEndedException,
          TableBlockedException {
    TopicPartition topicPartition = batch.staged().identity().topicPartition();
    TopicIdentity now = topics.identity(topicPartition.topic());
    if (!log.owned().state().generation().isOf(now)) {
      throw new GenerationEndedException(topicPartition, log.owned().state().generation(), now);
    }
    Set<StoragePath> made = new HashSet<>();
    for (StagedFile file : batch.staged().files()) {
      if (made.add(file.path().parent())) {
        storage.makeDirectories(file.path().parent());
      }
      Optional<StoredFile> standing = storage.find(file.path());
      if (standing.isPresent()) {
        checkStillOwner();
        throw new TableBlockedException(
            topicPartition
                + " "
                + batch.range()
                + ": the place of a file in table "
                + file.table()
                + " is taken: "
                + storage.location()
                + file.path()
                + " stands there and no log entry names it. Something else wrote into the table, or the log was "
                + "removed. Move the file away, then restart the task.");
      }
    }
  }

  /** Who took the topic-partition over may have landed the same offsets, in the same place. */
  private void checkStillOwner() throws IOException, CorruptLogException, FencedException {
    Optional<NumberedEntry> fence = log.owned().log().fenceAbove(log.owned().number());
    if (fence.isPresent()) {
      throw new FencedException(log.owned().log().directory(), fence.get());
    }
  }

  private NotLanded notLanded() throws IOException {
    OffsetRanges missing = batch.missing();
    if (missing.ranges().isEmpty()) {
      return new NotLanded(
          batch.deadLettered(), batch.skipped(), OffsetRanges.NONE, OffsetRanges.NONE);
    }
    // What Kafka no longer holds may have been records: it is lost, not compacted.
    long earliest = topics.heldOffsets(batch.staged().identity().topicPartition()).earliest();
    return new NotLanded(
        batch.deadLettered(), batch.skipped(), missing.from(earliest), missing.below(earliest));
  }
}
