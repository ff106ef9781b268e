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
  public static final Look NONE = of(Set.of(), Set.of());

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

  public static Look of(Set<HivePartitionId> seen, Set<HivePartitionId> unseen) {
    return new Look(seen, unseen, Set.of(), Set.of(), Set.of(), Map.of(), false);
  }

  public Look withUnregistered(Set<TableName> tables) {
    return new Look(seen, unseen, filled, refused, tables, closed, catalogUnavailable);
  }

  /** Returns this result with the store's answers: filled Hive partitions, and closed tables. */
  public Look withStore(Set<HivePartitionId> some, Map<TableName, String> tables) {
    return new Look(seen, unseen, some, refused, unregistered, tables, catalogUnavailable);
  }

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

  /** Returns why the catalog or the store keeps a topic from being complete; empty for nothing. */
  Optional<HeldBecause> because(String topic, Map<String, TableState> tables) {
    if (catalogUnavailable) {
      return Optional.of(new HeldBecause("SERVICE_AWAY", topic + ": the catalog does not answer"));
    }
    return firstOf(closed.keySet(), topic, tables)
        .map(table -> new HeldBecause("NOT_SHOWN", "%s: %s".formatted(table, closed.get(table))))
        .or(
            () ->
                firstOf(unregistered, topic, tables)
                    .map(
                        table ->
                            new HeldBecause(
                                "NOT_REGISTERED",
                                "%s: %s has files that landed without a catalog. A task registers the files of a topic-partition when it opens its log: check that all tasks run"
                                    .formatted(topic, table))));
  }

  private static Optional<TableName> firstOf(
      Set<TableName> some, String topic, Map<String, TableState> tables) {
    return some.stream()
        .filter(
            name -> {
              TableState table = tables.get(name.toString());
              return table != null && table.topics().contains(topic);
            })
        .findFirst();
  }
}
