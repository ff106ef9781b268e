package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.state.Hold;
import io.tidemark.connect.ledger.state.TableState;
import io.tidemark.connect.table.TableName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the catalog shows of Hive partitions.
 *
 * @param seen readers of the table see them at their place
 * @param unseen the catalog has them at another place, or cannot have them
 * @param filled readers find files in them, of which the ledger has no account
 * @param refused tables that the catalog does not have, or has as somebody else's: once that is
 *     corrected, their Hive partitions can be seen
 * @param unregistered tables with files that landed while there was no catalog, and that it was not
 *     told of since: nothing of them can be complete now
 * @param closed tables in whose directory the store refuses to make or to list one, with its words
 *     and the cure: nothing of them can be complete now
 * @param away the catalog does not answer: nothing can be complete now
 */
public record Look(
    Set<HivePartitionId> seen,
    Set<HivePartitionId> unseen,
    Set<HivePartitionId> filled,
    Set<TableName> refused,
    Set<TableName> unregistered,
    Map<TableName, String> closed,
    boolean away) {
  /** Nothing was looked at. */
  public static final Look NONE = of(Set.of(), Set.of());

  /** The catalog does not answer. */
  public static final Look AWAY =
      new Look(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), true);

  public Look {
    seen = Set.copyOf(seen);
    unseen = Set.copyOf(unseen);
    filled = Set.copyOf(filled);
    refused = Set.copyOf(refused);
    unregistered = Set.copyOf(unregistered);
    closed = Map.copyOf(closed);
  }

  /** A look at Hive partitions of tables that the catalog knows. */
  public static Look of(Set<HivePartitionId> seen, Set<HivePartitionId> unseen) {
    return new Look(seen, unseen, Set.of(), Set.of(), Set.of(), Map.of(), false);
  }

  /** This look, at tables that are not registered as a whole, too. */
  public Look withUnregistered(Set<TableName> tables) {
    return new Look(seen, unseen, filled, refused, tables, closed, away);
  }

  /** This look, of which some Hive partitions have files. */
  public Look withFilled(Set<HivePartitionId> some) {
    return new Look(seen, unseen, some, refused, unregistered, closed, away);
  }

  /** This look, with tables in whose directory the store refuses something. */
  public Look withClosed(Map<TableName, String> tables) {
    return new Look(seen, unseen, filled, refused, unregistered, tables, away);
  }

  /** What two looks show together. */
  public Look plus(Look other) {
    return away || other.away
        ? AWAY
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
   * Why nothing of a topic can be complete, whatever has landed; empty where nothing is wrong.
   *
   * @param feeding the tables that topics feed
   */
  Optional<Hold> hold(String topic, Map<String, TableState> feeding) {
    if (away) {
      return Optional.of(new Hold("SERVICE_AWAY", topic + ": the catalog does not answer"));
    }
    return closed.keySet().stream()
        .filter(table -> feeds(topic, table, feeding))
        .findFirst()
        .map(table -> new Hold("NOT_SHOWN", "%s: %s".formatted(table, closed.get(table))))
        .or(
            () ->
                unregistered.stream()
                    .filter(table -> feeds(topic, table, feeding))
                    .findFirst()
                    .map(
                        table ->
                            new Hold(
                                "NOT_REGISTERED",
                                "%s: %s holds files that landed without a catalog. A task registers those of a topic-partition when it opens its log: see that all tasks run"
                                    .formatted(topic, table))));
  }

  private static boolean feeds(String topic, TableName table, Map<String, TableState> feeding) {
    TableState state = feeding.get(table.toString());
    return state != null && state.topics().contains(topic);
  }
}
