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

  /** Example: {@code /logs/stock-quotes/quotes/3}. */
  public static CommitLog of(
      Storage storage, StoragePath logsRoot, String logId, TopicPartition topicPartition) {
    return new CommitLog(
        storage,
        logsRoot
            .child(logId)
            .child(directoryName(topicPartition.topic()))
            .child(Integer.toString(topicPartition.partition())));
  }

  /** Escapes the name of the identity file. No name of a topic contains {@code %}. */
  private static String directoryName(String topic) {
    return topic.equals(LogOwner.FILE_NAME) ? "%69dentity.json" : topic;
  }
}
