package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.intake.CommitServices;
import io.tidemark.connect.intake.OpenBatch;
import io.tidemark.connect.intake.PassedGaps;
import io.tidemark.connect.intake.TopicBindings;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.FencedException;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OutcomeUnknownException;
import io.tidemark.store.publish.PublishingRefusedException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one batch of a claim, after its last record was added. Each step uses the result of the
 * previous step; {@link #run} has the order of the steps. The task's thread starts the commit; the
 * steps run asynchronously, one after another.
 */
final class BatchCommit {
  private static final Logger LOG = LoggerFactory.getLogger(BatchCommit.class);

  private final CommitServices services;
  private final Consuming under;
  private final BooleanSupplier wanted;
  private final LongConsumer committed;
  private final TopicPartitionProgress progress;
  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final List<Table> tables;
  private final long startedMs;

  // Only the step that commits uses this field.
  private CommitEntry.@Nullable Batch unsettled;

  /**
   * Creates the commit.
   *
   * @param topic the topic of the records; the batch may have files for its tables
   * @param wanted returns whether the session is open; called before each attempt
   * @param committed called with the log's next offset as soon as the entry is certainly appended
   * @param progress receives the outcome of the batch
   */
  BatchCommit(
      TopicPartition topicPartition,
      TopicBindings topic,
      CommitServices services,
      Consuming under,
      BooleanSupplier wanted,
      LongConsumer committed,
      TopicPartitionProgress progress) {
    this.progress = progress;
    this.services = services;
    this.under = under;
    this.wanted = wanted;
    this.committed = committed;
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.tables = topic.tables();
    this.startedMs = services.monotonic().millis();
  }

  /**
   * Commits a batch: its files are staged (1), its dead letters acknowledged (2), it is checked (3)
   * and its entry appended (4), its files are published (5) and queued for registration (6).
   * Transient failures are retried. The first check of a claim waits for the {@link ClusterProof}.
   *
   * @param batch a batch that accepts no more records; it is released after step 2, because its
   *     files use memory
   */
  CompletableFuture<Void> run(OpenBatch batch) {
    long offsets = batch.range().size();
    return stage(batch)
        .thenCompose(staged -> awaitDeadLetters(batch, staged))
        .thenCompose(sealedBatch -> under.proof().given().thenApply(proved -> sealedBatch))
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

  /** Step 1: closes all files durably; none is visible yet. */
  private static CompletableFuture<StagedBatch> stage(OpenBatch batch) {
    try {
      return batch.stage();
    } catch (RuntimeException | Error e) { // such as a pool that has been shut down
      batch.abandon();
      throw e;
    }
  }

  /** Step 2: waits until all dead letters are acknowledged, then seals the batch. */
  private static CompletableFuture<SealedBatch> awaitDeadLetters(
      OpenBatch batch, StagedBatch staged) {
    return batch
        .deadLettersAcknowledged()
        .thenApply(
            deadLettered ->
                new SealedBatch(
                    staged,
                    batch.range(),
                    deadLettered,
                    batch.skipped(),
                    batch.missing(),
                    batch.notDelivered(),
                    batch.lost(),
                    batch.batchIds()));
  }

  /**
   * Steps 3 and 4: checks that the batch can be published, and appends its entry. Both are retried
   * together after a failure of Kafka or the store, unless the entry may have been appended.
   */
  private CompletableFuture<NumberedEntry<CommitEntry>> checkAndAppend(SealedBatch sealedBatch) {
    OwnedLog owned = under.log().owned();
    return services
        .retries()
        .until(
            topicPartition.toString(),
            "commit " + sealedBatch.range(),
            wanted,
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
              under.intake().gaps().committed(sealedBatch.range().next());
              committed.accept(sealedBatch.range().next());
              count(sealedBatch.range().next(), appended.entry().entry());
              return CompletableFuture.completedFuture(appended.entry());
            });
  }

  private void count(long next, CommitEntry entry) {
    entry
        .asBatch()
        .ifPresent(
            batch -> {
              List<DataFile> files = batch.files();
              progress.committed(
                  next,
                  batch.counts(),
                  files.size(),
                  files.stream().mapToLong(DataFile::bytes).sum());
            });
  }

  /**
   * Resolves the outcome of an earlier append if the outcome is unknown; otherwise checks and
   * appends.
   */
  private AppendOutcome.Appended<CommitEntry> append(SealedBatch sealedBatch)
      throws IOException,
          CorruptLogException,
          FencedException,
          GenerationEndedException,
          LeaderChangedException,
          SchemaChangedException,
          PublishingRefusedException,
          LayoutChangedException {
    OwnedLog owned = under.log().owned();
    while (true) {
      AppendOutcome<CommitEntry> outcome;
      CommitEntry.Batch entry = unsettled;
      try {
        if (entry != null) {
          outcome = owned.resolve(entry);
        } else {
          RetainedOffsets retained = check(sealedBatch);
          entry = draft(sealedBatch, retained.earliest());
          outcome = owned.commit(entry);
        }
      } catch (OutcomeUnknownException e) {
        unsettled = entry;
        throw e;
      }
      unsettled = null;
      if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
        return appended;
      }
      if (outcome instanceof AppendOutcome.Collided<CommitEntry> collided) {
        throw owned.fencedBy(collided.winner());
      }
    }
  }

  /**
   * Checks the batch. Records must not be committed if Kafka may have truncated them, if they were
   * read with a wrong schema, or if they cannot be published. So the topic must be the log's topic
   * and have the same leader as at the claim. The registry must not have returned another schema
   * for an id that is in use. Every target directory must exist, and every target name must be
   * free.
   */
  private RetainedOffsets check(SealedBatch sealedBatch)
      throws IOException,
          CorruptLogException,
          FencedException,
          GenerationEndedException,
          LeaderChangedException,
          SchemaChangedException,
          PublishingRefusedException,
          LayoutChangedException {
    OwnedLog owned = under.log().owned();
    Storage storage = services.storage();
    TopicIdentity now = services.topics().identity(topicPartition.topic());
    if (!owned.state().generation().isOf(now)) {
      throw new GenerationEndedException(topicPartition, owned.state().generation(), now);
    }
    RetainedOffsets retained = services.topics().retainedOffsets(topicPartition);
    if (retained.leaderEpoch() != owned.state().leaderEpoch()) {
      throw new LeaderChangedException(topicPartition, owned.state().leaderEpoch(), retained);
    }
    Optional<SchemaChangedException> contradiction = topic.contradiction();
    if (contradiction.isPresent()) {
      throw contradiction.get();
    }
    for (Table table : tables) {
      if (sealedBatch.staged().tables().stream()
          .anyMatch(written -> written.root().equals(table.layout().root()))) {
        services.layouts().record(table);
      }
    }
    Set<StoragePath> made = new HashSet<>();
    for (DataFile file : sealedBatch.staged().files()) {
      if (made.add(file.path().parent())) {
        storage.makeDirectories(file.path().parent());
        // Check the parent directory: each claim has a new directory below it.
        storage.requireRenames(file.staged().parent().parent(), file.path().parent());
      }
      Optional<StoredFile> existing = storage.find(file.path());
      if (existing.isPresent()) {
        requireUnfenced(owned);
        throw new PublishingRefusedException(
            topicPartition
                + " "
                + sealedBatch.range()
                + ": the place of a file in table "
                + file.table()
                + " is taken: "
                + storage.location()
                + file.path()
                + " exists, but no log entry names it. Another program wrote into the table, or the log was "
                + "removed. Move the file away, then restart the task.");
      }
    }
    return retained;
  }

  /**
   * Requires that no other task owns the log: a new owner may have landed the same offsets under
   * the same file names.
   */
  private static void requireUnfenced(OwnedLog owned)
      throws IOException, CorruptLogException, FencedException {
    Optional<NumberedEntry<CommitEntry>> fence = owned.log().fenceAbove(owned.number());
    if (fence.isPresent()) {
      throw owned.fencedBy(fence.get());
    }
  }

  /**
   * Drafts the entry. Missing offsets that Kafka had deleted when its first offset was requested
   * may have been records, so they count as lost. The other missing offsets count as not delivered.
   */
  private CommitEntry.Batch draft(SealedBatch sealedBatch, long earliest) {
    PassedGaps.Split missing = under.intake().gaps().split(sealedBatch.missing(), earliest);
    NotLanded notLanded =
        new NotLanded(
            sealedBatch.deadLettered(),
            sealedBatch.skipped(),
            missing.notDelivered().plus(sealedBatch.notDelivered()),
            missing.lost().plus(sealedBatch.lost()));
    return under
        .log()
        .owned()
        .draft(
            sealedBatch.staged().identity().attempt(),
            sealedBatch.range(),
            sealedBatch.staged().landed(),
            notLanded,
            sealedBatch.staged().tables(),
            sealedBatch.staged().files(),
            sealedBatch.batchIds());
  }

  /** Step 5: renames the files into their tables. */
  private CompletableFuture<NumberedEntry<CommitEntry>> publish(NumberedEntry<CommitEntry> entry) {
    // A topic that no routing rule matches has no table and no files.
    Optional<StoragePath> claim =
        tables.stream().findFirst().map(table -> under.log().staging().in(table.layout()));
    return services
        .retries()
        .untilDone(
            topicPartition.toString(),
            "publish entry " + entry.number(),
            wanted,
            () -> {
              services.publisher().publish(entry, claim);
              under.log().owned().published(entry.number());
            })
        .thenApply(done -> entry);
  }

  /**
   * Step 6: queues the entry for registration in the catalog. The next batch does not wait for the
   * registration.
   */
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
  }
}
