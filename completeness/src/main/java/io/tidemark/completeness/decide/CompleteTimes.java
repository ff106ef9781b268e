package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes the times through which tables and groups are complete: the earliest of their parts. A
 * recorded time never decreases.
 */
record CompleteTimes(Draft draft) {
  void ofTables() {
    draft.tables.replaceAll(
        (name, table) -> {
          if (table.refused().isPresent() && !draft.findings.accepting().contains(name)) {
            return table.complete(
                table.through(), table.refused().map(each -> notShown(name, each)));
          }
          Least least = new Least();
          for (String topic : table.topics()) {
            TopicState state = draft.topic(topic);
            least.add(
                state.through(),
                state
                    .held()
                    .orElse(
                        new HeldBecause(
                            "NOT_OPENED", topic + ": no snapshot of it is covered yet")));
          }
          least.through().ifPresent(through -> draft.through.put(name, through));
          return table.complete(
              later(table.through(), least.through()),
              heldBy(least).map(held -> causeOf(held, table)));
        });
  }

  /** A table may wait for its registration by a task for which one of its topics waits. */
  private HeldBecause causeOf(HeldBecause held, TableState table) {
    return table.topics().stream()
        .filter(topic -> held.reason().equals("NOT_REGISTERED"))
        .flatMap(topic -> draft.topic(topic).held().stream())
        .filter(each -> !each.reason().equals(held.reason()))
        .findFirst()
        .orElse(held);
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

  /** Computes the times of groups from their members'. If the members changed, it starts anew. */
  void ofGroups() {
    for (Map.Entry<String, List<String>> group : draft.settings.groups().entrySet()) {
      List<String> members = group.getValue();
      Least least = new Least();
      for (String member : members) {
        TableState own = draft.tables.get(member);
        Optional<Instant> through =
            own == null ? Optional.ofNullable(draft.findings.foreign().get(member)) : own.through();
        least.add(
            through,
            Optional.ofNullable(own)
                .flatMap(TableState::held)
                .orElseGet(() -> ofMember(member, through)));
      }
      Optional<Instant> recorded =
          Optional.ofNullable(draft.before.groups().get(group.getKey()))
              .filter(former -> former.members().equals(members))
              .flatMap(GroupState::through);
      draft.groups.put(
          group.getKey(), new GroupState(members, later(recorded, least.through()), heldBy(least)));
    }
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
  private Optional<HeldBecause> heldBy(Least least) {
    Optional<Instant> asked = draft.before.lastTick();
    return least.through().isPresent() && asked.filter(least.through().get()::isBefore).isEmpty()
        ? Optional.empty()
        : least.holder;
  }

  static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || (other.isPresent() && other.get().isAfter(one.get())) ? other : one;
  }

  /** The earliest of several times. A missing time is earlier than all others. */
  private static final class Least {
    private Optional<Instant> least = Optional.of(Instant.MAX);
    private Optional<HeldBecause> holder = Optional.empty();

    void add(Optional<Instant> through, HeldBecause because) {
      if (least.isPresent() && (through.isEmpty() || through.get().isBefore(least.get()))) {
        least = through;
        holder = Optional.of(because);
      }
    }

    /** Returns this time; empty if one is missing, or if none was added. */
    Optional<Instant> through() {
      return least.filter(Instant.MAX::isAfter);
    }
  }
}
