package io.tidemark.cli.status;

import io.tidemark.completeness.ledger.Block;
import io.tidemark.store.PrintableText;

/** A block that prevents completeness, as text. Example: {@code orders-1@100-250}. */
public record OpenBlock(Block block) {

  /**
   * Returns the argument of {@code repair --acknowledge}: the first offset and the offset after the
   * last. Without a number the block is of all topic-partitions of the topic.
   */
  public String argument() {
    String topic = PrintableText.of(block.topic(), 250);
    String place =
        block.topicPartition() == Block.ALL ? topic : topic + "-" + block.topicPartition();
    return place + "@" + block.from() + "-" + block.to();
  }

  /** Returns what happened to the offsets. */
  public String problem() {
    return switch (block.kind()) {
      case LOST -> "Kafka's retention had deleted these offsets before a task read them";
      case DELETED -> "the topic was deleted before these offsets landed";
      case UNSEEN ->
          "readers of the table do not see "
              + block.hivePartition().map(id -> PrintableText.line(id.toString())).orElse("them");
      case GAP -> "the commit log does not continue after the last entry that the ledger has";
      case DEAD_LETTERED -> "these offsets are in the dead letter topic";
    };
  }
}
