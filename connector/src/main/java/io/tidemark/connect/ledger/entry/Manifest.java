package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.ledger.account.Sorted;
import io.tidemark.connect.ledger.state.Block;
import java.util.List;
import java.util.SortedMap;

/**
 * What stands in a Hive partition's {@code _SUCCESS}: its first completion, which is never changed.
 *
 * @param log the log's name
 * @param completion what is complete, and by which snapshot
 * @param revision the ledger's entry that recorded the completion
 * @param latenessMs what the snapshot came later than the Hive partition's end, at least
 * @param frameworkMayDrop records may have been dropped before they reached the task, uncounted
 * @param topics the offsets of each topic since its covered snapshot before, by class
 * @param acknowledged blocks that an operator, or the configuration, let pass
 */
public record Manifest(
    String log,
    Completion completion,
    long revision,
    long latenessMs,
    boolean frameworkMayDrop,
    SortedMap<String, RecordCounts> topics,
    List<Block> acknowledged) {

  public Manifest {
    topics = Sorted.copyOf(topics);
    acknowledged = List.copyOf(acknowledged);
    if (latenessMs < 0 || revision <= completion.snapshot()) {
      throw new IllegalArgumentException(
          "revision %d of snapshot %d, lateness %d ms"
              .formatted(revision, completion.snapshot(), latenessMs));
    }
  }
}
