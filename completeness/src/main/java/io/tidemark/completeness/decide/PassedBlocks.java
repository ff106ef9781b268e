package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Block;
import io.tidemark.completeness.ledger.BlockKind;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which blocks the ledger no longer needs: all completions that depend on the block have
 * been shown together with it.
 */
final class PassedBlocks {
  private final Ledger ledger;
  private final LedgerSettings settings;
  private final Map<String, Covering> covered;
  private final Map<String, TableState> tables;
  private final Collection<OpenTotal> totals;

  /**
   * Creates the object of one decision.
   *
   * @param covered by topic, the snapshot that the decision covers
   * @param tables the tables after the decision
   * @param totals the totals after all accounts that were taken
   */
  PassedBlocks(
      Ledger ledger,
      LedgerSettings settings,
      Map<String, Covering> covered,
      Map<String, TableState> tables,
      Collection<OpenTotal> totals) {
    this.ledger = ledger;
    this.settings = settings;
    this.covered = covered;
    this.tables = tables;
    this.totals = totals;
  }

  /**
   * Returns the blocks that the ledger still needs. A block is removed when nothing else waits for
   * it, by the first entry whose completions depend on it. The manifests of that entry still list
   * the block, because manifests also list the blocks of the previous entry.
   */
  List<Block> without(List<Block> blocks, List<Long> pending, List<Completion> complete) {
    return blocks.stream()
        .filter(block -> !passed(block, pending) || !isShown(block, complete))
        .toList();
  }

  /** Returns whether no snapshot or completion waits for the block any more. */
  private boolean passed(Block block, List<Long> pending) {
    boolean forLater = block.kind() == BlockKind.GAP || block.kind() == BlockKind.UNSEEN;
    return !forLater
        && !Blocks.holds(block, settings)
        && ledger.state().blocks().contains(block)
        && pending.stream()
            .flatMap(number -> ends(number, block).stream())
            .allMatch(ends -> ends.end(block.topicPartition()) <= block.from());
  }

  /**
   * Returns whether a completion of this entry depends on the block. If no table of the block's
   * topic has a time in its paths, returns whether a snapshot that is now covered depends on it.
   */
  private boolean isShown(Block block, List<Completion> complete) {
    Set<String> fed = new TreeSet<>();
    tables.forEach(
        (name, table) -> {
          if (table.topics().contains(block.topic())) {
            fed.add(name);
          }
        });
    boolean byTime =
        totals.stream()
            .map(OpenTotal::total)
            .anyMatch(total -> total.until().isPresent() && fed.contains(total.table().toString()));
    Covering now = covered.get(block.topic());
    return byTime
        ? complete.stream()
            .filter(each -> fed.contains(each.total().table().toString()))
            .flatMap(each -> ends(each.snapshot(), block).stream())
            .anyMatch(ends -> has(ends, block))
        : now != null && ends(now.snapshot(), block).filter(ends -> has(ends, block)).isPresent();
  }

  private Optional<TopicEnds> ends(long snapshot, Block block) {
    return Optional.ofNullable(ledger.snapshots().get(snapshot))
        .flatMap(taken -> Optional.ofNullable(taken.topics().get(block.topic())));
  }

  /** Returns whether the block affects the coverage of a snapshot with these end offsets. */
  private static boolean has(TopicEnds ends, Block block) {
    return !ends.topicId().equals(block.topicId())
        || ends.end(block.topicPartition()) > block.from();
  }
}
