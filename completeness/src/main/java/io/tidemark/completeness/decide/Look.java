package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.table.TableName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a lookup: the answers of the catalog and the store about Hive partitions.
 *
 * @param seen the Hive partitions that readers of the table see at their location
 * @param unseen the Hive partitions that the catalog has at another location, or cannot have
 * @param filled the Hive partitions in which readers find files that are in no account
 * @param refused the tables that the catalog does not have, or that belong to another owner in the
 *     catalog. Readers can see their Hive partitions once an operator has corrected this
 * @param unregistered the tables with files that landed without a catalog and have not been
 *     registered. These tables cannot be complete now
 * @param closed the tables in whose directory the store refuses to create or list a directory, with
 *     the store's message and the cure. These tables cannot be complete now
 * @param catalogUnavailable whether the catalog did not respond. If so, nothing can be complete
 */
public record Look(
    Set<HivePartitionId> seen,
    Set<HivePartitionId> unseen,
    Set<HivePartitionId> filled,
    Set<TableName> refused,
    Set<TableName> unregistered,
    Map<TableName, String> closed,
    boolean catalogUnavailable) {
  /** No Hive partition was looked up. */
  public static final Look NONE = of(Set.of(), Set.of());

  /** The result if the catalog does not respond. */
  public static final Look UNAVAILABLE =
      new Look(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), true);

  public Look {
    seen = Set.copyOf(seen);
    unseen = Set.copyOf(unseen);
    filled = Set.copyOf(filled);
    refused = Set.copyOf(refused);
    unregistered = Set.copyOf(unregistered);
    closed = Map.copyOf(closed);
  }

  /** Returns the result of a lookup of Hive partitions whose tables the catalog has. */
  public static Look of(Set<HivePartitionId> seen, Set<HivePartitionId> unseen) {
    return new Look(seen, unseen, Set.of(), Set.of(), Set.of(), Map.of(), false);
  }

  /** Returns this result with tables that are not completely registered. */
  public Look withUnregistered(Set<TableName> tables) {
    return new Look(seen, unseen, filled, refused, tables, closed, catalogUnavailable);
  }

  /** Returns this result with Hive partitions that have files. */
  public Look withFilled(Set<HivePartitionId> some) {
    return new Look(seen, unseen, some, refused, unregistered, closed, catalogUnavailable);
  }

  /** Returns this result with tables in whose directory the store refuses an operation. */
  public Look withClosed(Map<TableName, String> tables) {
    return new Look(seen, unseen, filled, refused, unregistered, tables, catalogUnavailable);
  }

  /** Returns the union of two results. */
  public Look plus(Look other) {
    return catalogUnavailable || other.catalogUnavailable
        ? UNAVAILABLE
        : new Look(
            union(seen, other.seen),
            union(unseen, other.unseen),
            union(filled, other.filled),
            union(refused, other.refused),
            union(unregistered, other.unregistered),
            union(closed, other.closed),
            false);
  }

  private static Map<TableName, String> union(
      Map<TableName, String> one, Map<TableName, String> other) {
    Map<TableName, String> all = new HashMap<>(one);
    all.putAll(other);
    return all;
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    Set<T> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  boolean has(HivePartitionId id) {
    return seen.contains(id) || unseen.contains(id) || closed.containsKey(id.table());
  }

  /**
   * Returns the reason in the catalog or the store why a topic cannot be complete; empty if there
   * is none.
   *
   * @param feeding the tables with their topics
   */
  Optional<HeldBecause> because(String topic, Map<String, TableState> feeding) {
    if (catalogUnavailable) {
      return Optional.of(new HeldBecause("SERVICE_AWAY", topic + ": the catalog does not answer"));
    }
    return closed.keySet().stream()
        .filter(table -> feeds(topic, table, feeding))
        .findFirst()
        .map(table -> new HeldBecause("NOT_SHOWN", "%s: %s".formatted(table, closed.get(table))))
        .or(
            () ->
                unregistered.stream()
                    .filter(table -> feeds(topic, table, feeding))
                    .findFirst()
                    .map(
                        table ->
                            new HeldBecause(
                                "NOT_REGISTERED",
                                "%s: %s has files that landed without a catalog. A task registers the files of a topic-partition when it opens its log: check that all tasks run"
                                    .formatted(topic, table))));
  }

  private static boolean feeds(String topic, TableName table, Map<String, TableState> feeding) {
    TableState state = feeding.get(table.toString());
    return state != null && state.topics().contains(topic);
  }
}
