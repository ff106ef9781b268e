package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.entry.HivePartitionId;
import io.tidemark.connect.table.TableName;
import java.util.Set;

/**
 * What the catalog shows of Hive partitions.
 *
 * @param seen readers of the table see them at their place
 * @param unseen the catalog has them at another place, or cannot have them
 * @param unregistered tables with files that landed while there was no catalog, and that it was not
 *     told of since: nothing of them can be complete now
 * @param away the catalog does not answer: nothing can be complete now
 */
public record Look(
    Set<HivePartitionId> seen,
    Set<HivePartitionId> unseen,
    Set<TableName> unregistered,
    boolean away) {
  /** Nothing was looked at. */
  public static final Look NONE = new Look(Set.of(), Set.of(), false);

  /** The catalog does not answer. */
  public static final Look AWAY = new Look(Set.of(), Set.of(), true);

  public Look {
    seen = Set.copyOf(seen);
    unseen = Set.copyOf(unseen);
    unregistered = Set.copyOf(unregistered);
  }

  /** A look at Hive partitions of tables that the catalog knows. */
  public Look(Set<HivePartitionId> seen, Set<HivePartitionId> unseen, boolean away) {
    this(seen, unseen, Set.of(), away);
  }

  /** This look, at tables that are not registered as a whole, too. */
  public Look withUnregistered(Set<TableName> tables) {
    return new Look(seen, unseen, tables, away);
  }

  boolean has(HivePartitionId id) {
    return seen.contains(id) || unseen.contains(id);
  }
}
