package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The ledger's state of a table.
 *
 * @param topics the topics of this log whose records land in the table or have landed in it, until
 *     an operator releases them
 * @param emptiesThrough the time through which empty Hive partitions were created, if any are
 * @param refused complete Hive partitions whose manifests the store refused; empty for none
 * @param goneSince when the table's last topic was found to be deleted; empty if the table has a
 *     topic, or if an operator released its last topic
 */
public record TableState(
    List<String> topics,
    Optional<Instant> through,
    Optional<HeldBecause> held,
    Optional<Instant> emptiesThrough,
    Optional<Refused> refused,
    Optional<Instant> goneSince) {

  /**
   * Manifests that the store refuses until an operator has changed something, by the paths of their
   * Hive partitions, in order; and the store's message with the cure.
   */
  public record Refused(List<String> hivePartitions, String problem) {

    public Refused {
      hivePartitions = List.copyOf(hivePartitions);
      if (hivePartitions.isEmpty()) {
        throw new IllegalArgumentException("no manifest is refused: " + problem);
      }
    }
  }

  public static final TableState UNKNOWN =
      new TableState(List.of(), Optional.empty(), Optional.empty());

  public TableState {
    topics = List.copyOf(topics);
  }

  public TableState(List<String> topics, Optional<Instant> through, Optional<HeldBecause> held) {
    this(topics, through, held, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public TableState withTopics(List<String> others) {
    return new TableState(others, through, held, emptiesThrough, refused, goneSince);
  }

  public TableState withoutTopics(Predicate<String> left) {
    return withTopics(topics.stream().filter(left.negate()).toList());
  }

  public TableState complete(Optional<Instant> time, Optional<HeldBecause> why) {
    return new TableState(topics, time, why, emptiesThrough, refused, goneSince);
  }

  public TableState withEmptiesThrough(Optional<Instant> made) {
    return new TableState(topics, through, held, made, refused, goneSince);
  }

  /** Returns this table after the store has refused the manifest of a Hive partition. */
  public TableState refusing(String hivePartition, String problem) {
    TreeSet<String> all = new TreeSet<>(refusedHivePartitions());
    all.add(hivePartition);
    return withRefused(Optional.of(new Refused(List.copyOf(all), problem)));
  }

  /** Returns this table after a Hive partition was recorded as complete, possibly again. */
  public TableState stating(String hivePartition) {
    List<String> left =
        refusedHivePartitions().stream().filter(each -> !each.equals(hivePartition)).toList();
    return withRefused(
        refused.filter(any -> !left.isEmpty()).map(before -> new Refused(left, before.problem())));
  }

  private TableState withRefused(Optional<Refused> some) {
    return new TableState(topics, through, held, emptiesThrough, some, goneSince);
  }

  public TableState withGoneSince(Optional<Instant> since) {
    return new TableState(topics, through, held, emptiesThrough, refused, since);
  }

  public boolean refuses(String hivePartition) {
    return refusedHivePartitions().contains(hivePartition);
  }

  private List<String> refusedHivePartitions() {
    return refused.map(Refused::hivePartitions).orElse(List.of());
  }
}
