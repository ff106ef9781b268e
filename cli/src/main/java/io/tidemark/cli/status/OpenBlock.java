package io.tidemark.cli.status;

import io.tidemark.connect.ledger.state.Block;
import io.tidemark.connect.text.PrintableText;

/** A block that holds, as people see and name it. Example: {@code orders-1@100-250}. */
public record OpenBlock(Block block) {

  /**
   * What {@code repair --acknowledge} takes: the first offset and the one after the last. Without a
   * number the block is of all topic-partitions.
   */
  public String argument() {
    String topic = PrintableText.of(block.topic(), 250);
    String place =
        block.topicPartition() == Block.ALL ? topic : topic + "-" + block.topicPartition();
    return place + "@" + block.from() + "-" + block.to();
  }

  /** What has happened to the offsets. */
  public String problem() {
    return switch (block.kind()) {
      case LOST -> "Kafka no longer retained these offsets when the task came";
      case DELETED -> "the topic was deleted before these offsets landed";
      case UNSEEN ->
          "readers of the table do not see "
              + block.hivePartition().map(id -> PrintableText.line(id.toString())).orElse("them");
      case GAP -> "the commit log does not continue where the ledger has come to";
      case DEAD_LETTERED -> "these offsets are in the dead letter topic";
    };
  }
}
