package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.table.TableName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The answers of the catalog and the store, while a decision is made. Not thread-safe. */
public final class Look {
  /** The Hive partitions that readers of the table see at their location. */
  public final Set<HivePartitionId> seen = new HashSet<>();

  /** The Hive partitions that the catalog has at another location, or cannot have. */
  public final Set<HivePartitionId> unseen = new HashSet<>();

  /** The Hive partitions in which readers find files that are in no account. */
  public final Set<HivePartitionId> filled = new HashSet<>();

  /**
   * The tables that the catalog does not have, or that belong to another owner in the catalog.
   * Readers can see their Hive partitions once an operator has corrected this.
   */
  public final Set<TableName> refused = new HashSet<>();

  /** The tables with files that landed without a catalog, and why they cannot be complete now. */
  public final Map<TableName, String> unregistered = new HashMap<>();

  /** The tables in which the store refuses a directory, with its message and the cure. */
  public final Map<TableName, String> closed = new HashMap<>();

  private boolean catalogUnavailable;

  /** Notes that the catalog did not respond. Its former answers do not count without the others. */
  public void setCatalogUnavailable() {
    catalogUnavailable = true;
    seen.clear();
    unseen.clear();
  }

  /** Returns whether the catalog did not respond. If so, nothing can be complete. */
  public boolean isCatalogUnavailable() {
    return catalogUnavailable;
  }

  boolean has(HivePartitionId id) {
    return seen.contains(id) || unseen.contains(id) || closed.containsKey(id.table());
  }

  /** Returns why the catalog or the store keeps a topic from being complete; empty for nothing. */
  Optional<HeldBecause> because(String topic, Draft draft) {
    if (catalogUnavailable) {
      return Optional.of(new HeldBecause("SERVICE_AWAY", topic + ": the catalog does not answer"));
    }
    for (Map.Entry<TableName, String> each : closed.entrySet()) {
      if (draft.isTopicOf(topic, each.getKey())) {
        return Optional.of(
            new HeldBecause("NOT_SHOWN", "%s: %s".formatted(each.getKey(), each.getValue())));
      }
    }
    return Optional.empty();
  }

  /** Returns why a topic waits that waits for nothing else: for its tables' registration. */
  Optional<HeldBecause> unregistered(String topic, Draft draft) {
    return unregistered.entrySet().stream()
        .filter(each -> draft.isTopicOf(topic, each.getKey()))
        .findFirst()
        .map(
            each ->
                new HeldBecause(
                    "NOT_REGISTERED",
                    "%s: %s has files that landed without a catalog. %s"
                        .formatted(topic, each.getKey(), each.getValue())));
  }
}
