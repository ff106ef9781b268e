package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The ledger's state of a table.
 *
 * @param topics the topics of this log whose records land in the table or have landed in it, until
 *     an operator releases them
 * @param through the time through which all topics of the table are complete
 * @param held why {@code through} is not later
 * @param emptiesThrough the time through which empty Hive partitions were created; empty if none
 *     are created
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
   * Manifests that the store refuses until an operator has changed something.
   *
   * @param hivePartitions the paths of the Hive partitions of the manifests, in order. Example:
   *     {@code dt=2026-11-21/hour=07}
   * @param problem the store's message and the cure
   */
  public record Refused(List<String> hivePartitions, String problem) {

    public Refused {
      hivePartitions = List.copyOf(hivePartitions);
      if (hivePartitions.isEmpty()) {
        throw new IllegalArgumentException("no manifest is refused: " + problem);
      }
    }
  }

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

  /** Returns this table, complete through another time, with the reason why it is not later. */
  public TableState complete(Optional<Instant> time, Optional<HeldBecause> why) {
    return new TableState(topics, time, why, emptiesThrough, refused, goneSince);
  }

  public TableState withEmptiesThrough(Optional<Instant> made) {
    return new TableState(topics, through, held, made, refused, goneSince);
  }

  /** Returns this table after the store has refused further manifests. */
  public TableState refusing(Collection<String> hivePartitions, String problem) {
    TreeSet<String> all = new TreeSet<>(hivePartitions);
    refused.ifPresent(before -> all.addAll(before.hivePartitions()));
    return new TableState(
        topics,
        through,
        held,
        emptiesThrough,
        Optional.of(new Refused(List.copyOf(all), problem)),
        goneSince);
  }

  /** Returns this table after Hive partitions were recorded as complete, possibly again. */
  public TableState stating(Collection<String> hivePartitions) {
    Optional<Refused> left =
        refused.flatMap(
            before -> {
              TreeSet<String> rest = new TreeSet<>(before.hivePartitions());
              rest.removeAll(hivePartitions);
              return rest.isEmpty()
                  ? Optional.empty()
                  : Optional.of(new Refused(List.copyOf(rest), before.problem()));
            });
    return new TableState(topics, through, held, emptiesThrough, left, goneSince);
  }

  public TableState withGoneSince(Optional<Instant> since) {
    return new TableState(topics, through, held, emptiesThrough, refused, since);
  }

  /** Returns whether the store has refused the manifest of a Hive partition. */
  public boolean refuses(String hivePartition) {
    return refused.filter(all -> all.hivePartitions().contains(hivePartition)).isPresent();
  }
}
