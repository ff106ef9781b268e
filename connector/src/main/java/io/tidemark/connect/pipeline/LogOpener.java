package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.LogOwner;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicDirectory;
import io.tidemark.connect.commit.TopicDirectory.HeldOffsets;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.LogState;
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
import org.apache.kafka.common.TopicPartition;

/**
 * Takes a topic-partition: claims its log, recovers what an earlier owner left, and finds where to
 * go on. Each call waits for Kafka and the store; safe for use by many threads.
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

  OpenedLog open(TopicPartition topicPartition, TableLayout layout)
      throws IOException,
          CorruptLogException,
          FencedException,
          TableBlockedException,
          TableOwnedException {
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
    OwnedLog owned =
        OwnedLog.claim(
            log, () -> topics.identity(topicPartition.topic()), settings.claimant(), clock);
    HeldOffsets held = topics.heldOffsets(topicPartition);
    long next = owned.state().next();
    if (next != LogState.UNKNOWN && held.end() < next) {
      throw new LandingException(
          topicPartition
              + ": the log "
              + log.directory()
              + " has landed offsets up to "
              + next
              + ", but Kafka's end offset is "
              + held.end()
              + " of the same topic id "
              + owned.state().generation().topicId()
              + ". Kafka lost records that it had delivered (an unclean leader election or a restored broker), so new "
              + "records would be taken for landed ones. Find out what was lost; then delete and make the topic anew, "
              + "or produce beyond offset "
              + next
              + ".");
    }
    groupWatch.look(topicPartition, owned);
    StagingDirectories staging =
        new StagingDirectories(layout.stagingRoot(), settings.logId(), topicPartition);
    RecoveryPlan recovered = recovery.recover(owned, staging);
    return new OpenedLog(
        owned, staging.create(storage, owned.number(), owned.claim()), held, recovered.register());
  }
}
