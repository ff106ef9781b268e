package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Block;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An operator's acknowledgement of blocks, or release of topics.
 *
 * @param operator the name of the operator, for people
 * @param reason the operator's reason, for people
 * @param blocks the blocks that are acknowledged, as the ledger's state has them
 * @param released the topics that are no longer configured and are to be removed from their tables
 */
public record Acknowledgement(
    String operator, String reason, Set<Block> blocks, Set<String> released) {

  public Acknowledgement {
    blocks = Set.copyOf(blocks);
    released = Set.copyOf(released);
  }

  /**
   * Returns the ledger's next entry.
   *
   * @throws IllegalArgumentException the ledger does not have one of the blocks, or a block was
   *     acknowledged before
   */
  public LedgerEntry.Acknowledge entry(Ledger ledger, UUID attempt, Instant now) {
    LedgerState state = ledger.state();
    List<Block> after = new ArrayList<>();
    List<Block> lifted = new ArrayList<>();
    for (Block block : state.blocks()) {
      if (blocks.contains(block) && block.open()) {
        lifted.add(block);
        after.add(block.acknowledgedFor(reason));
      } else {
        after.add(block);
      }
    }
    if (lifted.size() != blocks.size()) {
      throw new IllegalArgumentException(
          "the ledger has " + state.blocks() + ", but " + blocks + " should be acknowledged");
    }
    SortedMap<String, TableState> tables = new TreeMap<>();
    state
        .tables()
        .forEach(
            (name, table) ->
                tables.put(
                    name,
                    table.withTopics(
                        table.topics().stream()
                            .filter(topic -> !released.contains(topic))
                            .toList())));
    LedgerState changed =
        state.with(
            draft -> {
              draft.tables = tables;
              draft.blocks = after;
            });
    return new LedgerEntry.Acknowledge(
        attempt,
        changed.withoutPositions(),
        now,
        operator,
        reason,
        lifted,
        released.stream().sorted().toList());
  }
}
