package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.LogOwner;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicDirectory;
import io.tidemark.connect.commit.TopicDirectory.HeldOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.recovery.GroupWatch;
import io.tidemark.connect.recovery.Recovery;
import io.tidemark.connect.recovery.RecoveryPlan;
import io.tidemark.connect.staging.StagingDirectories;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.LogIdentity;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableOwnedException;
import io.tidemark.connect.table.TableOwner;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Takes topic-partitions: claims their logs, recovers what earlier owners left, and finds where to
 * go on. Safe for use by many threads; an opening waits for Kafka and the store, and is run by one
 * thread at a time.
 */
final class LogOpener {
  private final Storage storage;
  private final TopicDirectory topics;
  private final StoragePath logsRoot;
  private final PipelineSettings settings;
  private final Recovery recovery;
  private final GroupWatch groupWatch;
  private final Clock clock;

  LogOpener(
      Storage storage,
      TopicDirectory topics,
      StoragePath logsRoot,
      PipelineSettings settings,
      Clock clock) {
    this.storage = storage;
    this.topics = topics;
    this.logsRoot = logsRoot;
    this.settings = settings;
    this.recovery = new Recovery(storage, new Publisher(storage));
    this.groupWatch = new GroupWatch(topics);
    this.clock = clock;
  }

  /**
   * The opening of a topic-partition's log. It is run again after a failure of Kafka or the store,
   * and then goes on under the claim that stands: outages leave no row of claims behind, and a task
   * that has been fenced since does not fence its successor.
   *
   * @param former the log as the task held it until it could stage no more, where that is why it is
   *     opened again
   * @param wanted asked before each claim: one that comes late would take the log from the task's
   *     own next session
   */
  Retries.Step<OpenedLog> opening(
      TopicPartition topicPartition,
      TableLayout layout,
      Optional<OwnedLog> former,
      BooleanSupplier wanted) {
    return new Opening(topicPartition, layout, former, wanted);
  }

  private final class Opening implements Retries.Step<OpenedLog> {
    private final TopicPartition topicPartition;
    private final TableLayout layout;
    private final Optional<OwnedLog> former;
    private final BooleanSupplier wanted;
    private @Nullable OwnedLog claimed;

    Opening(
        TopicPartition topicPartition,
        TableLayout layout,
        Optional<OwnedLog> former,
        BooleanSupplier wanted) {
      this.topicPartition = topicPartition;
      this.layout = layout;
      this.former = former;
      this.wanted = wanted;
    }

    @Override
    public OpenedLog run()
        throws IOException,
            CorruptLogException,
            FencedException,
            TableBlockedException,
            TableOwnedException {
      OwnedLog owned = claimed;
      if (owned == null || !isOfTheTopic(owned)) {
        if (former.isPresent()) {
          requireUnfenced(former.get());
        }
        owned = claim();
        claimed = owned;
      }
      HeldOffsets held = topics.heldOffsets(topicPartition);
      if (owned.state().next() != LogState.UNKNOWN && held.end() < owned.state().next()) {
        if (!isOfTheTopic(owned)) {
          throw new IOException(topicPartition + ": the topic was made again meanwhile");
        }
        throw endBelow(owned, held);
      }
      StagingDirectories staging =
          new StagingDirectories(layout.stagingRoot(), settings.logId(), topicPartition);
      RecoveryPlan recovered = recovery.recover(owned, staging);
      groupWatch.look(topicPartition, owned);
      return new OpenedLog(
          owned, staging.of(owned.number(), owned.claim()), held, recovered.register());
    }

    /**
     * A new owner removes the staging directory of the one before: who cannot stage may be fenced.
     */
    private void requireUnfenced(OwnedLog owned)
        throws IOException, CorruptLogException, FencedException {
      CommitLog log = owned.log();
      Optional<NumberedEntry> fence = log.fenceAbove(owned.number());
      if (fence.isPresent()) {
        NumberedEntry claim =
            log.after(owned.number()).stream()
                .filter(entry -> entry.entry() instanceof CommitEntry.Claim)
                .findFirst()
                .orElse(fence.get());
        throw new FencedException(log.directory(), claim);
      }
    }

    private boolean isOfTheTopic(OwnedLog owned) throws IOException {
      return owned.state().generation().isOf(topics.identity(topicPartition.topic()));
    }

    private LandingException endBelow(OwnedLog owned, HeldOffsets held) {
      return new LandingException(
          topicPartition
              + ": the log "
              + owned.log().directory()
              + " has landed offsets up to "
              + owned.state().next()
              + ", but Kafka's end offset is "
              + held.end()
              + " of the same topic id "
              + owned.state().generation().topicId()
              + ". Kafka lost records that it had delivered (an unclean leader election or a restored broker), so new "
              + "records would be taken for landed ones. Find out what was lost; then delete and make the topic anew, "
              + "or produce beyond offset "
              + owned.state().next()
              + ".");
    }

    private OwnedLog claim()
        throws IOException, CorruptLogException, FencedException, TableOwnedException {
      new LogOwner(settings.logId(), settings.claimant().connector())
          .establish(storage, logsRoot.child(settings.logId()));
      new TableOwner(storage, layout)
          .own(
              topicPartition.topic(),
              new LogIdentity(
                  settings.logId(),
                  storage.location() + logsRoot.child(settings.logId()),
                  topics.identity(topicPartition.topic()).clusterId()));
      CommitLog log = CommitLog.of(storage, logsRoot, settings.logId(), topicPartition);
      return OwnedLog.claim(log, this::topicWhileWanted, settings.claimant(), clock);
    }

    private TopicIdentity topicWhileWanted() throws IOException {
      if (!wanted.getAsBoolean()) {
        throw new CancellationException(topicPartition + ": the claim is not wanted any more");
      }
      return topics.identity(topicPartition.topic());
    }
  }
}
