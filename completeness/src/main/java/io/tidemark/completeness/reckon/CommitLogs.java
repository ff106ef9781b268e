package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Findings;
import io.tidemark.completeness.decide.Gap;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads entries from the tasks' commit logs, if no account contains them. Thread-safe. */
record CommitLogs(Storage storage, StoragePath logsRoot, String logId) {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLogs.class);

  /** Returns the entries of gaps, and the gaps of logs that cannot be read. */
  Findings.Read read(Collection<Gap> gaps) throws IOException {
    List<AccountedEntry> entries = new ArrayList<>();
    Set<Gap> unreadable = new HashSet<>();
    for (Gap gap : gaps) {
      try {
        entries.addAll(after(gap));
      } catch (CorruptLogException e) {
        unreadable.add(gap);
        LOG.warn(
            "{}-{}: the entries after {} are in no account and cannot be read from the commit log, so the totals of Hive partitions that begin before now are partial: {}",
            gap.topic(),
            gap.topicPartition(),
            gap.after(),
            e.getMessage());
      }
    }
    return new Findings.Read(entries, unreadable);
  }

  private List<AccountedEntry> after(Gap gap) throws IOException, CorruptLogException {
    CommitLog log =
        CommitLog.of(
            storage, logsRoot, logId, new TopicPartition(gap.topic(), gap.topicPartition()));
    boolean folded = log.checkpoint() > gap.after();
    List<NumberedEntry<CommitEntry>> read = folded ? log.all() : log.after(gap.after());
    LOG.info(
        "{}-{}: {} entries after {} are read from the commit log, because no account contains them",
        gap.topic(),
        gap.topicPartition(),
        read.size(),
        gap.after());
    return read.stream()
        .map(entry -> AccountedEntry.of(gap.topic(), gap.topicPartition(), entry, List.of()))
        .toList();
  }
}
