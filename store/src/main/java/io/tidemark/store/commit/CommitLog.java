package io.tidemark.store.commit;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.NumberedLog;

/** The log of committed batches of one topic-partition. Thread-safe. */
public final class CommitLog extends NumberedLog<CommitEntry> {

  public CommitLog(Storage storage, StoragePath directory) {
    super(storage, directory, CommitEntry.FORMAT);
  }

  /** Returns the log of a topic-partition. Example: {@code /logs/stock-quotes/quotes/3}. */
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
   * Returns the name of a topic's directory: the topic's name, unless the log's identity file has
   * the same name. Names of topics contain no {@code %}, so two topics never get the same
   * directory.
   */
  private static String directoryName(String topic) {
    return topic.equals(LogOwner.FILE_NAME) ? "%69dentity.json" : topic;
  }
}
