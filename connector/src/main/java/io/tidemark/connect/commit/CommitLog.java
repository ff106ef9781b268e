package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CommitEntryFormat;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.NumberedLog;
import org.apache.kafka.common.TopicPartition;

/** The log of committed batches of one topic-partition. Safe for use by many threads. */
public final class CommitLog extends NumberedLog<CommitEntry> {

  public CommitLog(Storage storage, StoragePath directory) {
    super(storage, directory, CommitEntryFormat.INSTANCE);
  }

  /**
   * The log of a topic-partition. Example of its directory: {@code /logs/stock-quotes/quotes/3}.
   */
  public static CommitLog of(
      Storage storage, StoragePath logsRoot, String logId, TopicPartition topicPartition) {
    return new CommitLog(
        storage,
        logsRoot
            .child(logId)
            .child(directoryName(topicPartition.topic()))
            .child(Integer.toString(topicPartition.partition())));
  }

  /**
   * The name of a topic's directory: the topic's, unless that is the name of the log's identity
   * file. Topics have no {@code %}, so no two of them meet in one name.
   */
  private static String directoryName(String topic) {
    return topic.equals(LogOwner.FILE_NAME) ? "%69dentity.json" : topic;
  }
}
