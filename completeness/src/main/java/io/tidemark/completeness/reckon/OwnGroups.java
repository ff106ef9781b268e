package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured groups that this log may declare. Not thread-safe. */
final class OwnGroups {
  private static final Logger LOG = LoggerFactory.getLogger(OwnGroups.class);

  /** The time between two checks whether another log still declares a group. */
  private static final long REFUSED_LOOK_MS = 60_000;

  private final GroupDeclarations declarations;
  private final SortedMap<String, List<String>> configured = new TreeMap<>();
  private final ReckonerServices services;
  private Optional<SortedMap<String, List<String>>> declared = Optional.empty();
  private List<String> problems = List.of();
  private long askedMs;

  OwnGroups(
      ReckonerServices services,
      ForeignLedgers foreign,
      Map<String, ? extends List<String>> configured) {
    this.services = services;
    this.declarations = new GroupDeclarations(services.storage(), services.folders());
    configured.forEach(
        (name, members) ->
            this.configured.put(name, members.stream().map(foreign::member).toList()));
  }

  /**
   * Returns the groups that this log declares. The first call declares them. A group that another
   * log declares is omitted until the other log no longer declares it.
   */
  SortedMap<String, List<String>> declared() {
    long nowMs = services.monotonic().millis();
    if (declared.isEmpty() || (!problems.isEmpty() && nowMs - askedMs >= REFUSED_LOOK_MS)) {
      askedMs = nowMs;
      SortedMap<String, List<String>> ours = new TreeMap<>();
      List<String> found = new ArrayList<>();
      for (Map.Entry<String, List<String>> group : configured.entrySet()) {
        Optional<String> refused = refused(group.getKey());
        if (refused.isEmpty()) {
          ours.put(group.getKey(), group.getValue());
        } else {
          found.add(refused.get());
          if (!problems.contains(refused.get())) {
            LOG.error("{}", refused.get());
          }
        }
      }
      problems = List.copyOf(found);
      declared = Optional.of(Collections.unmodifiableSortedMap(ours));
    }
    return declared.get();
  }

  private Optional<String> refused(String group) {
    try {
      return declarations.declare(group);
    } catch (IOException | CorruptLogException e) {
      return Optional.of(
          "the group %s is not reported; if its file is lost, remove it, and it is put again: %s"
              .formatted(group, PrintableText.messageOf(e)));
    }
  }

  Optional<String> problem() {
    return problems.stream().findFirst();
  }

  /** Returns whether a group waits only for members of other logs. */
  static boolean waitForOthers(LedgerState state) {
    return state.groups().values().stream()
        .anyMatch(group -> behind(group.through(), state) && ownMembersAreThere(group, state));
  }

  private static boolean ownMembersAreThere(GroupState group, LedgerState state) {
    return group.members().stream()
        .filter(member -> !member.contains("@"))
        .allMatch(
            member -> {
              TableState table = state.tables().get(member);
              return table != null && !behind(table.through(), state);
            });
  }

  private static boolean behind(Optional<Instant> through, LedgerState state) {
    return state
        .lastTick()
        .filter(tick -> through.filter(time -> !time.isBefore(tick)).isEmpty())
        .isPresent();
  }
}
