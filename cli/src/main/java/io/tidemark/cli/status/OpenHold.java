package io.tidemark.cli.status;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.store.PrintableText;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A hold that prevents completeness, as text. Example: {@code orders-1@100-250}.
 *
 * @param ambiguous whether an open hold of another kind has the same topic-partition and offsets
 */
public record OpenHold(Hold hold, boolean ambiguous) {

  /** Returns the open ones of a ledger's holds, as texts that name a hold of one kind each. */
  public static List<OpenHold> of(List<Hold> holds) {
    List<Hold> open = holds.stream().filter(Hold::open).toList();
    Map<String, Set<HoldKind>> kinds =
        open.stream().collect(groupingBy(OpenHold::place, mapping(Hold::kind, toSet())));
    return open.stream()
        .map(hold -> new OpenHold(hold, kinds.getOrDefault(place(hold), Set.of()).size() > 1))
        .toList();
  }

  /**
   * Returns the argument of {@code repair --acknowledge}: the first offset and the offset after the
   * last. Without a number the hold is of all topic-partitions of the topic. If it is {@link
   * #ambiguous}, its kind precedes: {@code GAP:orders-1@100-250}.
   */
  public String argument() {
    return ambiguous ? hold.kind() + ":" + place(hold) : place(hold);
  }

  private static String place(Hold hold) {
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
