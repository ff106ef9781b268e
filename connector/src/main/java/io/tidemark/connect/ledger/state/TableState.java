package io.tidemark.connect.ledger.state;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Where the ledger stands with a table.
 *
 * @param topics the topics of this log that have fed it, until an operator releases one
 * @param through everything of all its topics up to here is complete
 * @param held why it is not complete further
 * @param emptiesThrough Hive partitions without records are made up to here; empty where they are
 *     not made
 * @param refused complete Hive partitions whose manifests the store has refused; empty where there
 *     are none
 * @param goneSince when its last topic was found to be deleted; empty where it has one, or was
 *     released by an operator
 */
public record TableState(
    List<String> topics,
    Optional<Instant> through,
    Optional<Hold> held,
    Optional<Instant> emptiesThrough,
    Optional<Refused> refused,
    Optional<Instant> goneSince) {

  /**
   * Manifests that the store refuses until an operator has changed something.
   *
   * @param hivePartitions where they belong, in order. Example: {@code dt=2026-11-21/hour=07}
   * @param problem the store's words and the cure
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

  /** A table of which Hive partitions without records are not made. */
  public TableState(List<String> topics, Optional<Instant> through, Optional<Hold> held) {
    this(topics, through, held, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** A table of which nothing is complete. */
  public static TableState of(List<String> topics) {
    return new TableState(topics, Optional.empty(), Optional.empty());
  }

  /** This table with other topics. */
  public TableState withTopics(List<String> others) {
    return new TableState(others, through, held, emptiesThrough, refused, goneSince);
  }

  /** This table with how far it is complete, and why not further. */
  public TableState reaching(Optional<Instant> reached, Optional<Hold> why) {
    return new TableState(topics, reached, why, emptiesThrough, refused, goneSince);
  }

  /** This table with Hive partitions without records up to a time. */
  public TableState withEmptiesThrough(Optional<Instant> made) {
    return new TableState(topics, through, held, made, refused, goneSince);
  }

  /** This table when the store has refused more manifests. */
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

  /** This table when some Hive partitions are stated to be complete, again or at first. */
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

  /** This table when all of its topics are deleted, or are not. */
  public TableState withGoneSince(Optional<Instant> since) {
    return new TableState(topics, through, held, emptiesThrough, refused, since);
  }

  /** Whether the store has refused the manifest of a Hive partition. */
  public boolean refuses(String hivePartition) {
    return refused.filter(all -> all.hivePartitions().contains(hivePartition)).isPresent();
  }
}
