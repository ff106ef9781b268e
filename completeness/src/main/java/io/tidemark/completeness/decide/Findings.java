package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The information that the reckoner has read since the ledger's last entry.
 *
 * @param foreign the time through which tables of other log directories are complete, by the
 *     member's name; a member that is missing keeps its group from being complete
 * @param announced the announcements that were read; empty if there are no new announcements
 * @param accepting the tables that accept manifests which the store had refused
 * @param look the answers about {@link Decision#toLook}, which are added between two decisions
 * @param storeTime the store's time of the ledger's last entry. An old object is removed only if it
 *     is old according to this time and to the reckoner's clock. If this time is empty, nothing is
 *     removed because of its age
 */
public record Findings(
    List<LogRead> logs,
    Topics topics,
    Map<String, Instant> foreign,
    Optional<Announced> announced,
    Set<String> accepting,
    Look look,
    Optional<Instant> storeTime) {

  /**
   * Topics that are deleted or unreadable, or have no own table.
   *
   * @param gone the topics that Kafka has not returned for so long that they count as deleted
   * @param unreadable the topics that the connector's own Kafka client may not READ
   * @param nameTaken the topics that have no table of their own, because its name would be that of
   *     another topic's table ({@code NAME_TAKEN}); each with the reason and the cure
   */
  public record Topics(
      Set<String> gone,
      Set<String> unreadable,
      Map<String, String> nameTaken,
      Assignments assigned) {
    public Topics {
      gone = Set.copyOf(gone);
      unreadable = Set.copyOf(unreadable);
      nameTaken = Map.copyOf(nameTaken);
    }

    Optional<HeldBecause> withoutTable(String topic) {
      return Optional.ofNullable(nameTaken.get(topic))
          .map(why -> new HeldBecause("NAME_TAKEN", why));
    }
  }

  public Findings {
    accepting = Set.copyOf(accepting);
    logs = List.copyOf(logs);
    foreign = Map.copyOf(foreign);
  }

  /** Returns these findings without entries that have files in one of these tables, or follow. */
  public Findings before(Set<TableName> tables) {
    return new Findings(
        logs.stream().map(read -> read.before(tables)).toList(),
        topics,
        foreign,
        announced,
        accepting,
        look,
        storeTime);
  }

  /** Returns the earlier of the reckoner's time and the store's; empty if the latter is unknown. */
  public static Optional<Instant> passed(Optional<Instant> storeTime, Instant now) {
    return storeTime.map(stored -> stored.isBefore(now) ? stored : now);
  }
}
