package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes the times through which tables and groups are complete: the earliest of their parts.
 *
 * @param before the state before the decision
 */
record CompleteTimes(LedgerState before, LedgerSettings settings, Findings findings) {
  /**
   * Returns the tables, each complete up to the earliest time of its topics. A recorded time never
   * decreases.
   *
   * @param complete receives for each table the time through which its topics are complete now,
   *     even if it is before the recorded time
   */
  SortedMap<String, TableState> tables(
      Map<String, TableState> former,
      Map<String, TopicState> topics,
      SortedMap<String, Instant> complete) {
    SortedMap<String, TableState> tables = new TreeMap<>();
    former.forEach(
        (name, table) -> {
          if (table.refused().isPresent() && !findings.accepting().contains(name)) {
            tables.put(
                name,
                table.complete(table.through(), table.refused().map(each -> notShown(name, each))));
            return;
          }
          Least least = new Least();
          for (String topic : table.topics()) {
            TopicState state = topics.getOrDefault(topic, TopicState.unknown());
            least.add(
                state.through(),
                state
                    .held()
                    .orElse(
                        new HeldBecause(
                            "NOT_OPENED", topic + ": no snapshot of it is covered yet")));
          }
          Optional<Instant> now = least.through();
          now.ifPresent(through -> complete.put(name, through));
          tables.put(
              name, table.complete(later(table.through(), now), heldBy(before.lastTick(), least)));
        });
    return tables;
  }

  /** Returns the reason that a table waits until its refused manifests can be put. */
  private static HeldBecause notShown(String table, TableState.Refused refused) {
    int more = refused.hivePartitions().size() - 1;
    return new HeldBecause(
        "NOT_SHOWN",
        "%s: the store refuses the manifest of %s%s: %s"
            .formatted(
                table,
                refused.hivePartitions().get(0),
                more > 0 ? " and " + more + " more" : "",
                refused.problem()));
  }

  /**
   * Returns the groups, each complete up to the earliest time of its members. A group whose members
   * changed starts anew.
   */
  SortedMap<String, GroupState> groups(Map<String, TableState> tables) {
    SortedMap<String, GroupState> groups = new TreeMap<>();
    for (Map.Entry<String, List<String>> group : settings.groups().entrySet()) {
      List<String> members = group.getValue();
      Least least = new Least();
      for (String member : members) {
        TableState own = tables.get(member);
        Optional<Instant> through =
            own == null ? Optional.ofNullable(findings.foreign().get(member)) : own.through();
        least.add(
            through,
            Optional.ofNullable(own)
                .flatMap(TableState::held)
                .orElseGet(() -> ofMember(member, through)));
      }
      Optional<Instant> recorded =
          Optional.ofNullable(before.groups().get(group.getKey()))
              .filter(former -> former.members().equals(members))
              .flatMap(GroupState::through);
      groups.put(
          group.getKey(),
          new GroupState(
              members, later(recorded, least.through()), heldBy(before.lastTick(), least)));
    }
    return groups;
  }

  /** Returns why a group waits for a member for which no other reason is known. */
  private static HeldBecause ofMember(String member, Optional<Instant> through) {
    return new HeldBecause(
        through.isEmpty() ? "NO_MEMBER" : "BEHIND",
        member
            + through
                .map(time -> " is complete through " + time)
                .orElse(" has never been complete, or has no ledger"));
  }

  /** Returns why a table or group is not complete through the newest snapshot's time. */
  private static Optional<HeldBecause> heldBy(Optional<Instant> asked, Least least) {
    return least.through().isPresent() && asked.filter(least.through().get()::isBefore).isEmpty()
        ? Optional.empty()
        : least.holder();
  }

  static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || (other.isPresent() && other.get().isAfter(one.get())) ? other : one;
  }

  /** The earliest of several times. A missing time is earlier than all others. */
  private static final class Least {
    private Optional<Instant> least = Optional.empty();
    private Optional<HeldBecause> holder = Optional.empty();
    private boolean missing;

    void add(Optional<Instant> through, HeldBecause because) {
      if (missing) {
        return;
      }
      if (through.isEmpty()) {
        missing = true;
        holder = Optional.of(because);
      } else if (least.isEmpty() || through.get().isBefore(least.get())) {
        least = through;
        holder = Optional.of(because);
      }
    }

    Optional<Instant> through() {
      return missing ? Optional.empty() : least;
    }

    Optional<HeldBecause> holder() {
      return holder;
    }
  }
}
