package io.tidemark.connect.reckon;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.ledger.Gap;
import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what no account has brought from the commit logs of the tasks. Safe for many threads. */
final class CommitLogs {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLogs.class);

  private final Storage storage;
  private final StoragePath logsRoot;
  private final String logId;

  CommitLogs(Storage storage, StoragePath logsRoot, String logId) {
    this.storage = storage;
    this.logsRoot = logsRoot;
    this.logId = logId;
  }

  /**
   * The entries of gaps. A log that cannot be read is left out: its gap holds its topic, and
   * nothing else.
   */
  List<AccountedEntry> read(Collection<Gap> gaps) throws IOException {
    List<AccountedEntry> entries = new ArrayList<>();
    for (Gap gap : gaps) {
      entries.addAll(after(gap));
    }
    return entries;
  }

  private List<AccountedEntry> after(Gap gap) throws IOException {
    CommitLog log =
        CommitLog.of(
            storage, logsRoot, logId, new TopicPartition(gap.topic(), gap.topicPartition()));
    try {
      boolean folded = log.checkpoint() > gap.after();
      List<NumberedEntry<CommitEntry>> read = folded ? log.all() : log.after(gap.after());
      LOG.info(
          "{}-{}: {} entries after {} are read from the commit log, because their accounts did not come",
          gap.topic(),
          gap.topicPartition(),
          read.size(),
          gap.after());
      return read.stream()
          .map(entry -> AccountedEntry.of(gap.topic(), gap.topicPartition(), entry, List.of()))
          .toList();
    } catch (CorruptLogException e) {
      LOG.warn(
          "{}-{}: the entries after {} cannot be read from the commit log, so the topic waits: {}",
          gap.topic(),
          gap.topicPartition(),
          gap.after(),
          e.getMessage());
      return List.of();
    }
  }
}
