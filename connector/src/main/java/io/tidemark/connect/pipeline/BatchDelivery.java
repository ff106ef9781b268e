package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.staging.StagedFile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one staged batch under a claim: committed, then published, then handed on to be
 * registered.
 */
record BatchDelivery(
    PipelineServices services, Consuming under, SealedBatch sealed, long startedMs) {
  private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);

  /**
   * Goes the way, waiting out what passes.
   *
   * @param wanted asked before each try
   * @param committed told the log's next offset as soon as the entry stands there for certain
   */
  CompletableFuture<Void> deliver(BooleanSupplier wanted, LongConsumer committed) {
    OwnedLog owned = under.log().owned();
    BatchCommit commit =
        new BatchCommit(services.staging().storage(), services.topics(), under.log(), sealed);
    return services
        .retries()
        .until(
            topicPartition() + ": commit " + sealed.range(),
            wanted,
            () -> {
              owned.registered(under.registrations().through());
              return commit.run();
            })
        .thenCompose(
            appended -> {
              if (appended.fencedBy().isPresent()) {
                // Publishing it is now the new owner's. And where it stands late, behind a
                // checkpoint, it does not count: what is committed is read from the log again.
                return CompletableFuture.failedFuture(
                    new FencedException(owned.log().directory(), appended.fencedBy().get()));
              }
              committed.accept(sealed.range().next());
              return publish(appended.entry(), wanted);
            });
  }

  private CompletableFuture<Void> publish(NumberedEntry entry, BooleanSupplier wanted) {
    OwnedLog owned = under.log().owned();
    Publisher publisher = new Publisher(services.staging().storage());
    return services
        .retries()
        .untilDone(
            topicPartition() + ": publish entry " + entry.number(),
            wanted,
            () -> {
              publisher.publish(entry);
              owned.published(entry.number());
            })
        .thenRun(
            () -> {
              under.registrations().add(entry);
              report(entry);
            });
  }

  private void report(NumberedEntry entry) {
    if (entry.entry() instanceof CommitEntry.Batch committed) {
      List<StagedFile> files = committed.files();
      LOG.info(
          "{} {}: entry {}, {} records in {} tables, {} files, {} bytes, {} dead letters, {} ms from flush to published",
          topicPartition(),
          committed.range(),
          entry.number(),
          committed.counts().landed(),
          files.stream().map(StagedFile::table).distinct().count(),
          files.size(),
          files.stream().mapToLong(StagedFile::bytes).sum(),
          committed.counts().deadLettered(),
          services.clock().millis() - startedMs);
    }
  }

  private TopicPartition topicPartition() {
    return sealed.staged().identity().topicPartition();
  }
}
