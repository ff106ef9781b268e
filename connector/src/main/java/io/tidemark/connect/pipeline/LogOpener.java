package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.LogOwner;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.recovery.GroupWatch;
import io.tidemark.connect.recovery.Recovery;
import io.tidemark.connect.recovery.RecoveryPlan;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.LogIdentity;
import io.tidemark.connect.table.LogTables;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableOwnedException;
import io.tidemark.connect.table.TableOwner;
import io.tidemark.connect.table.TableRoot;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  private final TopicMetadata topics;
  private final StoragePath logsRoot;
  private final PipelineSettings settings;
  private final Recovery recovery;
  private final LogTables logTables;
  private final GroupWatch groupWatch;
  private final Clock clock;

  LogOpener(
      Storage storage,
      TopicMetadata topics,
      StoragePath logsRoot,
      PipelineSettings settings,
      Publisher publisher,
      Clock clock) {
    this.storage = storage;
    this.topics = topics;
    this.logsRoot = logsRoot;
    this.settings = settings;
    this.recovery = new Recovery(publisher);
    this.logTables = new LogTables(storage, logsRoot.child(settings.logId()));
    this.groupWatch = new GroupWatch(topics);
    this.clock = clock;
  }

  /**
   * The opening of a topic-partition's log. It is run again after a failure of Kafka or the store,
   * and then goes on under the claim that stands: outages leave no row of claims behind, and a task
   * that has been fenced since does not fence its successor.
   *
   * @param tables those in which the topic-partition's records may land
   * @param former the log as the task owned it until it could stage no more, where that is why it
   *     is opened again
   * @param wanted asked before each claim: one that comes late would take the log from the task's
   *     own next session
   */
  Retries.Step<OpenedLog> opening(
      TopicPartition topicPartition,
      List<Table> tables,
      Optional<OwnedLog> former,
      BooleanSupplier wanted) {
    return new Opening(topicPartition, tables, former, wanted);
  }

  private final class Opening implements Retries.Step<OpenedLog> {
    private final TopicPartition topicPartition;
    private final List<Table> tables;
    private final Optional<OwnedLog> former;
    private final BooleanSupplier wanted;
    private @Nullable OwnedLog claimed;

    Opening(
        TopicPartition topicPartition,
        List<Table> tables,
        Optional<OwnedLog> former,
        BooleanSupplier wanted) {
      this.topicPartition = topicPartition;
      this.tables = tables;
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
      RetainedOffsets retained = topics.retainedOffsets(topicPartition);
      if (owned.state().next() != LogState.UNKNOWN && retained.end() < owned.state().next()) {
        if (!isOfTheTopic(owned)) {
          throw new IOException(topicPartition + ": the topic was made again meanwhile");
        }
        throw endBelow(owned, retained);
      }
      StagingDirectories staging =
          new StagingDirectories(storage, settings.logId(), topicPartition);
      List<TableLayout> present = tables.stream().map(Table::layout).toList();
      Set<TableLayout> listed = new LinkedHashSet<>(present);
      listed.addAll(logTables.of(topicPartition.topic()));
      RecoveryPlan recovered = recovery.recover(owned, staging, present, listed);
      groupWatch.look(topicPartition, owned);
      return new OpenedLog(
          owned, staging.ofClaim(owned.number(), owned.claim()), retained, recovered.register());
    }

    /**
     * A new owner removes the staging directories of the one before, so a staging failure may mean
     * that another task has fenced this one.
     */
    private void requireUnfenced(OwnedLog owned)
        throws IOException, CorruptLogException, FencedException {
      CommitLog log = owned.log();
      Optional<NumberedEntry<CommitEntry>> fence = log.fenceAbove(owned.number());
      if (fence.isPresent()) {
        NumberedEntry<CommitEntry> claim =
            log.after(owned.number()).stream()
                .filter(
                    entry ->
                        entry
                            .entry()
                            .match(
                                made -> true, batch -> false, skip -> false, checkpoint -> false))
                .findFirst()
                .orElse(fence.get());
        throw new FencedException(log.directory(), claim);
      }
    }

    private boolean isOfTheTopic(OwnedLog owned) throws IOException {
      return owned.state().generation().isOf(topics.identity(topicPartition.topic()));
    }

    private LandingException endBelow(OwnedLog owned, RetainedOffsets retained) {
      return new LandingException(
          topicPartition
              + ": the log "
              + owned.log().directory()
              + " has landed offsets up to "
              + owned.state().next()
              + ", but Kafka's end offset is "
              + retained.end()
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
      LogIdentity identity =
          new LogIdentity(
              settings.logId(),
              storage.location() + logsRoot.child(settings.logId()),
              topics.identity(topicPartition.topic()).clusterId());
      for (Table table : tables) {
        new TableOwner(storage, table.layout()).own(topicPartition.topic(), identity);
        logTables.add(new TableRoot(table.name(), table.layout().root()), topicPartition.topic());
      }
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
