package io.tidemark.store.commit;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.NumberedLog;
import java.io.IOException;
import java.util.List;

/** The log of committed batches of one topic-partition. Thread-safe. */
public final class CommitLog extends NumberedLog<CommitEntry> {

  /** The directory of a topic that is named like the identity file. No topic contains {@code %}. */
  private static final String IDENTITY = "%69dentity.json";

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

  /** Returns the topics that have logs in a log directory. Example: {@code /logs/stock-quotes}. */
  public static List<String> topics(Storage storage, StoragePath logDirectory) throws IOException {
    return storage.list(logDirectory).stream()
        .filter(each -> each.directory() && !each.path().name().startsWith("+"))
        .map(each -> each.path().name())
        .map(name -> name.equals(IDENTITY) ? LogOwner.FILE_NAME : name)
        .toList();
  }

  /** Returns the topic-partitions of a topic that have a log. */
  public static List<TopicPartition> topicPartitions(
      Storage storage, StoragePath logDirectory, String topic) throws IOException {
    return storage.list(logDirectory.child(directoryName(topic))).stream()
        .filter(each -> each.directory() && each.path().name().matches("[0-9]{1,9}"))
        .map(each -> new TopicPartition(topic, Integer.parseInt(each.path().name())))
        .toList();
  }

  private static String directoryName(String topic) {
    return topic.equals(LogOwner.FILE_NAME) ? IDENTITY : topic;
  }
}
