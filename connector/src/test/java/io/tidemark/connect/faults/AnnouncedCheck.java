package io.tidemark.connect.faults;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.connect.faults.RecordHistory.Held;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compares the ledger's statements about announced batches with the truth. */
final class AnnouncedCheck {
  private final World world;
  private final VisibleRows rows;
  private final Set<String> completeBatches = new HashSet<>();
  private final List<String> untrue = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);

  AnnouncedCheck(World world, VisibleRows rows) {
    this.world = world;
    this.rows = rows;
  }

  long statements() {
    return completeBatches.size();
  }

  List<String> untrue() {
    return untrue;
  }

  Set<Hazard> reached() {
    return reached;
  }

  /** Checks the batches of an entry. */
  void check(long number, LedgerState state) {
    state
        .announcements()
        .ifPresent(all -> all.open().forEach((id, each) -> check(number, id, each)));
  }

  /** All announced records, or more, have landed or were counted in another class. */
  private void check(long number, String id, AnnouncedBatch batch) {
    if (!batch.complete()) {
      if (batch.verdict().isPresent()) {
        reached.add(Hazard.MISCOUNTED);
      }
      return;
    }
    if (!completeBatches.add(id)) {
      return;
    }
    reached.add(Hazard.ANNOUNCED);
    world
        .announcements()
        .orElseThrow()
        .announced(id)
        .forEach(
            (topic, announced) -> {
              world.tables().ever(topic).forEach(rows::look);
              long counted =
                  world.kafka().history().of(topic).stream()
                      .map(Held::record)
                      .filter(record -> SimulatedAnnouncements.isOf(id, record))
                      .filter(record -> record.kind() != RecordKind.DROPPED)
                      .filter(record -> rows.has(record) || world.tables().arrivesElsewhere(record))
                      .count();
              if (counted < announced) {
                untrue.add(
                    "entry %d: %s is complete with %d records of %s, and there are %d"
                        .formatted(number, id, announced, topic, counted));
              }
            });
  }
}
