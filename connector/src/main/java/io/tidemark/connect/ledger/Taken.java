package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.state.Block;
import io.tidemark.connect.ledger.state.Position;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the ledger has taken of accounts, and of logs where accounts are missing.
 *
 * @param moved the positions that have moved, by topic and topic-partition
 * @param batches those that count now
 * @param blocks all that there are now
 * @param readFromLog Hive partitions of entries that no account has brought: whether readers see
 *     them is not known
 * @param partial topics of which entries were taken whose files are not known, and by when those
 *     had landed: when the newest account came, by the store's clock
 * @param uncounted topics with records whose batches no entry tells, and what happened
 * @param gaps what is to be read from logs, so that more can be taken
 */
record Taken(
    SortedMap<String, SortedMap<Integer, Position>> moved,
    List<AccountedEntry.Batch> batches,
    List<Block> blocks,
    Set<HivePartitionId> readFromLog,
    Map<String, Instant> partial,
    Map<String, String> uncounted,
    List<Gap> gaps) {

  /** The positions of a topic that have moved. */
  Map<Integer, Position> moved(String topic) {
    return moved.getOrDefault(topic, new TreeMap<>());
  }
}
