package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.util.Optional;

/** Whether an entry can follow a position, or replace the entries after it. */
final class Succeeding {
  private Succeeding() {}

  /** Returns whether {@code entry} can be the entry after the position. */
  static boolean continues(Optional<Position> position, SettledEntry entry, TopicState state) {
    if (position.isEmpty()) {
      return true; // entry 1
    }
    Position at = position.get();
    SettledState after = entry.state();
    RecordCounts own = ownCounts(entry);
    if (!after.generation().topicId().equals(at.topicId())) {
      return after.counts().equals(own); // the next generation begins
    }
    if (at.next() >= 0 && after.counts().total() == 0 && at.counts().total() == 0) {
      // Nothing has landed: the first offset may be moved, unless the topic has complete times.
      return after.next() == at.next() || state.through().isEmpty();
    }
    return after.counts().equals(at.counts().plus(own))
        && (at.next() < 0 || after.next() - own.total() == at.next());
  }

  /** Returns whether an entry's state can replace the entries after the position. */
  static boolean canReplace(Optional<Position> position, SettledEntry entry, TopicState state) {
    SettledState after = entry.state();
    return position
        .filter(at -> at.topicId().equals(after.generation().topicId()) && at.next() >= 0)
        .filter(at -> at.counts().total() > 0 || state.through().isPresent())
        .filter(
            at ->
                after.first() != at.next() - at.counts().total()
                    || !after.counts().continues(at.counts()))
        .isEmpty();
  }

  private static RecordCounts ownCounts(SettledEntry entry) {
    return entry instanceof SettledEntry.Skip skip
        ? new RecordCounts(0, 0, skip.range().size(), 0, 0)
        : entry.asBatch().map(SettledEntry.Batch::counts).orElse(RecordCounts.NONE);
  }

  /**
   * Returns whether the ledger has no positions of former topics of the same name. Such topics were
   * removed from the ledger, or were deleted before the ledger began.
   */
  static boolean nothingOfFormerTopics(Ledger ledger, String topic, String topicId) {
    TopicState state = ledger.state().topic(topic);
    return (state.topicId().isEmpty() || state.topicId().equals(topicId))
        && state.at().values().stream()
            .allMatch(at -> at.topicId().equals(topicId) && (at.former().isEmpty() || at.adopted()))
        && ledger.state().holds().stream()
            .filter(hold -> hold.topic().equals(topic))
            .allMatch(hold -> hold.topicId().equals(topicId))
        && ledger.snapshots().values().stream()
            .flatMap(snapshot -> Optional.ofNullable(snapshot.topics().get(topic)).stream())
            .allMatch(ends -> ends.topicId().equals(topicId));
  }
}
