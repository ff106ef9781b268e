package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.entry.HivePartitionId;
import java.util.Set;

/**
 * What the catalog shows of Hive partitions.
 *
 * @param seen readers of the table see them at their place
 * @param unseen the catalog has them at another place, or cannot have them
 * @param away the catalog does not answer: nothing can be complete now
 */
public record Look(Set<HivePartitionId> seen, Set<HivePartitionId> unseen, boolean away) {
  /** Nothing was looked at. */
  public static final Look NONE = new Look(Set.of(), Set.of(), false);

  /** The catalog does not answer. */
  public static final Look AWAY = new Look(Set.of(), Set.of(), true);

  public Look {
    seen = Set.copyOf(seen);
    unseen = Set.copyOf(unseen);
  }

  boolean has(HivePartitionId id) {
    return seen.contains(id) || unseen.contains(id);
  }
}
