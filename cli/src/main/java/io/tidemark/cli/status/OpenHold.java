package io.tidemark.cli.status;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.store.PrintableText;

/** A hold that prevents completeness, as text. Example: {@code orders-1@100-250}. */
public record OpenHold(Hold hold) {

  /**
   * Returns the argument of {@code repair --acknowledge}: the first offset and the offset after the
   * last. Without a number the hold is of all topic-partitions of the topic.
   */
  public String argument() {
    String topic = PrintableText.of(hold.topic(), 250);
    String place = hold.topicPartition() == Hold.ALL ? topic : topic + "-" + hold.topicPartition();
    return place + "@" + hold.from() + "-" + hold.to();
  }

  /** Returns what happened to the offsets. */
  public String problem() {
    return switch (hold.kind()) {
      case LOST -> "Kafka had deleted these offsets, or the log begins after them";
      case DELETED -> "the topic was deleted or recreated before these offsets landed";
      case UNSEEN ->
          "readers of the table do not see "
              + hold.hivePartition().map(id -> PrintableText.line(id.toString())).orElse("them");
      case GAP -> "the commit log does not continue after the last entry that the ledger has";
      case DEAD_LETTERED -> "these offsets are in the dead letter topic";
    };
  }
}
