package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.intake.BatchBuilder;
import io.tidemark.connect.intake.BatchBuilder.SealedBatch;
import io.tidemark.connect.intake.LostOffsets;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Retries;
import io.tidemark.connect.intake.TaskTopic;
import io.tidemark.connect.intake.TopicEnd;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OutcomeUnknownException;
import io.tidemark.store.publish.PublishingRefusedException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one batch of a claim, after its last record was added. {@link #run} has the order of the
 * steps. The task's thread starts the commit; the steps run asynchronously, one after another.
 */
final class BatchCommit {
  private static final long START_OF_1990 = 631_152_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(BatchCommit.class);

  private final PipelineServices services;
  private final Consuming under;
  private final Retries retries;
  private final LongConsumer committed;
  private final TopicPartitionProgress progress;
  private final TopicPartition topicPartition;
  private final TaskTopic topic;
  private final long startedMs;

  // Only the step that commits uses this field.
  private CommitEntry.@Nullable Batch outcomeUnknown;

  /** {@code committed} receives the log's next offset when the entry is certainly appended. */
  BatchCommit(
      TopicPartition topicPartition,
      TaskTopic topic,
      PipelineServices services,
      Consuming under,
      Retries retries,
      LongConsumer committed,
      TopicPartitionProgress progress) {
    this.progress = progress;
    this.services = services;
    this.under = under;
    this.retries = retries;
    this.committed = committed;
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.startedMs = services.monotonic().millis();
  }

  /**
   * Commits a batch: its files are staged (1), its dead letters acknowledged (2), it is checked (3)
   * and its entry appended (4), its files are published (5) and queued for registration (6).
   * Transient failures are retried. The first check of a claim waits for its {@link ClusterCheck}.
   *
   * @param batch accepts no more records; it is released after step 2: its files use memory
   */
  CompletableFuture<Void> run(BatchBuilder batch) {
    long offsets = batch.range().size();
    return seal(batch)
        .thenCompose(sealedBatch -> under.cluster().result().thenApply(checked -> sealedBatch))
        .whenComplete(
            (sealedBatch, failure) -> {
              if (failure != null) {
                batch.abandon();
              }
            })
        .thenCompose(this::checkAndAppend)
        .whenComplete(
            (appended, failure) -> {
              if (failure != null) {
                progress.discarded(offsets);
              }
            })
        .thenCompose(this::publish)
        .thenAccept(this::register);
  }

  /** Steps 1 and 2: closes all files durably, though none is visible, and seals the batch. */
  private static CompletableFuture<SealedBatch> seal(BatchBuilder batch) {
    try {
      return batch.seal();
    } catch (RuntimeException | Error e) { // such as a pool that has been shut down
      batch.abandon();
      throw e;
    }
  }

  /**
   * Steps 3 and 4: checks that the batch can be published, and appends its entry. Both are retried
   * together after a failure of Kafka or the store, unless the entry may have been appended.
   */
  private CompletableFuture<NumberedEntry<CommitEntry>> checkAndAppend(SealedBatch sealedBatch) {
    OwnedLog owned = under.log().owned();
    return retries
        .until(
            "commit " + sealedBatch.range(),
            () -> {
              owned.registered(under.registrations().through());
              return append(sealedBatch);
            })
        .thenCompose(
            appended -> {
              if (appended.fencedBy().isPresent()) {
                // This task is fenced. The entry may be valid, and the new owner then publishes it.
                // The next claim reads from the log whether it is.
                return CompletableFuture.failedFuture(owned.fencedBy(appended.fencedBy().get()));
              }
              under.intake().lostOffsets().committed(sealedBatch.range().next());
              committed.accept(sealedBatch.range().next());
              appended
                  .entry()
                  .entry()
                  .asBatch()
                  .ifPresent(batch -> count(sealedBatch.range().next(), batch));
              return CompletableFuture.completedFuture(appended.entry());
            });
  }

  private void count(long next, CommitEntry.Batch batch) {
    List<DataFile> files = batch.files();
    long bytes = files.stream().mapToLong(DataFile::bytes).sum();
    progress.committed(next, batch.counts(), files.size(), bytes);
    if (under.intake().topicEnded() && batch.range().size() > 0) {
      LOG.warn(
          "{}: the topic was deleted or recreated; of its records {} that were delivered before, {} land and {} count as lost, because they may be records of the new topic",
          topicPartition,
          batch.range(),
          batch.counts().landed(),
          batch.counts().lost());
    }
  }

  /** Resolves an unknown outcome of an earlier append; otherwise checks and appends. */
  private AppendOutcome.Appended<CommitEntry> append(SealedBatch sealedBatch) throws Exception {
    OwnedLog owned = under.log().owned();
    while (true) {
      AppendOutcome<CommitEntry> outcome;
      CommitEntry.Batch entry = outcomeUnknown;
      try {
        if (entry != null) {
          outcome = owned.resolve(entry);
        } else {
          entry = draft(sealedBatch, check(sealedBatch));
          outcome = owned.commit(entry);
        }
      } catch (OutcomeUnknownException e) {
        outcomeUnknown = entry;
        throw e;
      }
      outcomeUnknown = null;
      if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
        return appended;
      }
      if (outcome instanceof AppendOutcome.Collided<CommitEntry> collided) {
        throw owned.fencedBy(collided.winner());
      }
    }
  }

  /**
   * What Kafka says: offsets below {@code earliest} may have been deleted before they were read; it
   * is empty if the topic has ended. If the records do not {@code land}, they count as lost.
   */
  private record Evidence(OptionalLong earliest, boolean land) {}

  /**
   * Requires that the topic is the log's topic, with the same leader as at the claim. Or the topic
   * has ended: its records can no longer be read again, so they land, unless they may be records of
   * the topic that replaced it, which land in the next generation.
   */
  private Evidence evidence(OffsetRange range, boolean gaps) throws Exception {
    LogState state = under.log().owned().state();
    Optional<TopicIdentity> now = TopicEnd.present(services.topics(), topicPartition);
    if (now.filter(state.generation()::isOf).isPresent()) {
      RetainedOffsets retained =
          services
              .topics()
              .retainedOffsets(topicPartition, gaps ? state.leaderEpoch() : LogState.UNKNOWN);
      if (retained.leaderEpoch() != state.leaderEpoch()
          || (range.size() > 0 && retained.end() < range.next())) {
        throw ReadAgainException.ofLeader(topicPartition, state.leaderEpoch(), retained);
      }
      return new Evidence(OptionalLong.of(retained.earliest()), true);
    }
    OptionalLong follower = TopicEnd.followedBy(services.topics(), topicPartition, state);
    if (follower.isEmpty()) {
      throw ReadAgainException.ofTopic(topicPartition, state.generation(), now.orElseThrow());
    }
    under.intake().endTopic();
    return new Evidence(OptionalLong.empty(), follower.getAsLong() <= range.first());
  }

  /**
   * Checks the batch. Records must not be committed if there is no {@link #evidence}, if they were
   * read with a wrong schema, or if they cannot be published. So the registry must not have
   * returned another schema for an id in use. Every target directory exists, and names are free.
   */
  private Evidence check(SealedBatch batch) throws Exception {
    OwnedLog owned = under.log().owned();
    Storage storage = services.staging().storage();
    Evidence evidence = evidence(batch.range(), batch.missing().size() > 0);
    if (!evidence.land()) {
      return evidence;
    }
    Optional<SchemaChangedException> contradiction = topic.contradiction();
    if (contradiction.isPresent()) {
      throw contradiction.get();
    }
    for (Table table : topic.tables()) {
      if (batch.staged().tables().stream()
          .anyMatch(written -> written.root().equals(table.layout().root()))) {
        services.layouts().record(table);
      }
    }
    Set<StoragePath> made = new HashSet<>();
    for (DataFile file : batch.staged().files()) {
      if (made.add(file.path().parent())) {
        storage.makeDirectories(file.path().parent());
        // Check the parent directory: each claim has a new directory below it.
        storage.requireRenames(file.staged().parent().parent(), file.path().parent());
      }
      Optional<StoredFile> existing = storage.find(file.path());
      if (existing.isPresent()) {
        // A new owner may have landed the same offsets under the same file name.
        owned.requireUnfenced();
        throw new PublishingRefusedException(
            "%s %s: the place of a file in table %s is taken: %s%s exists, but no log entry names it. Another program wrote into the table, or the log was removed or restored from an older copy. Move the file away, then restart the task."
                .formatted(
                    topicPartition, batch.range(), file.table(), storage.location(), file.path()));
      }
    }
    return evidence;
  }

  /**
   * Drafts the entry. Missing offsets that Kafka had deleted when its first offset was requested
   * may have been records, so they count as lost. The other missing offsets count as not delivered.
   * If the batch may be of the topic that replaced the log's, all offsets count as lost: also those
   * of dead letters and of skipped records, which had other records in the log's topic.
   */
  private CommitEntry.Batch draft(SealedBatch sealedBatch, Evidence evidence) {
    StagedBatch staged = sealedBatch.staged();
    OffsetRange range = sealedBatch.range();
    OwnedLog owned = under.log().owned();
    if (!evidence.land()) {
      return owned.draftLost(staged.identity().attempt(), range);
    }
    LostOffsets.Split missing =
        under.intake().lostOffsets().split(sealedBatch.missing(), evidence.earliest());
    NotLanded known = sealedBatch.notLanded();
    return owned.draft(
        staged.identity().attempt(),
        range,
        staged.landed(),
        new NotLanded(
            known.deadLettered(),
            known.skipped(),
            missing.notDelivered().plus(known.notDelivered()),
            missing.lost().plus(known.lost())),
        staged.tables(),
        staged.files(),
        sealedBatch.batchIds());
  }

  /** Step 5: renames the files into their tables. */
  private CompletableFuture<NumberedEntry<CommitEntry>> publish(NumberedEntry<CommitEntry> entry) {
    // A topic that no routing rule matches has no table and no files.
    Optional<StoragePath> claim =
        topic.tables().stream().findFirst().map(table -> under.log().staging().in(table.layout()));
    return retries
        .untilDone(
            "publish entry " + entry.number(),
            () -> {
              services.publisher().publish(entry, claim);
              under.log().owned().published(entry.number());
            })
        .thenApply(done -> entry);
  }

  /** Step 6: queues the entry for registration, for which the next batch does not wait. */
  private void register(NumberedEntry<CommitEntry> entry) {
    under.registrations().add(entry);
    entry.entry().asBatch().ifPresent(batch -> report(entry.number(), batch));
  }

  private void report(long number, CommitEntry.Batch entry) {
    List<DataFile> files = entry.files();
    LOG.info(
        "{} {}: entry {}, {} records in {} tables, {} files, {} bytes, {} dead letters, {} ms from flush to published",
        topicPartition,
        entry.range(),
        number,
        entry.counts().landed(),
        files.stream().map(DataFile::table).distinct().count(),
        files.size(),
        files.stream().mapToLong(DataFile::bytes).sum(),
        entry.counts().deadLettered(),
        services.monotonic().millis() - startedMs);
    if (!files.isEmpty() && topic.isFirstBatch() && areEarly(topic.tables(), files)) {
      LOG.warn(
          "{}: the topic's first records have times before 1990 in timestamp.field. If the field is not in milliseconds, set timestamp.unit, or topic.{}.timestamp.unit. These records stay in their Hive partitions: see \"Records that landed wrongly\" in docs/OPERATIONS.md.",
          topicPartition.topic(),
          topicPartition.topic());
    }
  }

  /** Returns whether all times of a field are before 1990: probably seconds, read as millis. */
  static boolean areEarly(List<Table> tables, List<DataFile> files) {
    return files.stream().allMatch(file -> file.maxTimestamp() < START_OF_1990)
        && tables.stream()
            .flatMap(table -> table.partitioning().time().stream())
            .anyMatch(time -> time.timestampField().isPresent());
  }
}
