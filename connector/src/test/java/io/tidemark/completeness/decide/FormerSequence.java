package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The known entries of one topic-partition's log, in any order and possibly twice. The class finds
 * the entry after a position. An entry that was read from the log counts only if an account
 * contains a later entry.
 */
final class FormerSequence {
  private final List<Found> found;
  private final long accounted;

  FormerSequence(List<Found> found) {
    this.found = List.copyOf(found);
    this.accounted =
        found.stream()
            .filter(one -> one.came().isPresent())
            .mapToLong(one -> one.entry().number())
            .max()
            .orElse(0);
  }

  /**
   * An entry, with the time when its account was put; the time is empty if the entry was read from
   * the log.
   */
  record Found(SettledEntry entry, Optional<Instant> came) {}

  /** The step after a position. */
  sealed interface Step {}

  /** The next entry, or a checkpoint that replaces several entries. */
  record Next(Found found) implements Step {}

  /** The next entry is unknown. */
  record Unknown() implements Step {}

  /** The known entries contradict the position: they cannot be of the same log. */
  record Contradiction() implements Step {}

  /** Returns whether an account contains an entry above a position. */
  boolean isAccountedAbove(Optional<Position> position) {
    return accounted > numberOf(position);
  }

  Step after(Optional<Position> position, TopicState state) {
    long number = numberOf(position);
    Optional<Found> next = Optional.empty();
    Optional<Found> checkpoint = Optional.empty();
    for (Found one : found) {
      long other = one.entry().number();
      if (one.entry().isCheckpoint()) {
        if (other > number && (checkpoint.isEmpty() || checkpoint.get().entry().number() < other)) {
          checkpoint = Optional.of(one);
        }
      } else if (other == number) {
        if (position
            .map(Position::attempt)
            .filter(a -> !a.equals(one.entry().attempt()))
            .isPresent()) {
          return new Contradiction();
        }
      } else if (other == number + 1 && (one.came().isPresent() || other <= accounted)) {
        if (next.isPresent() && !next.get().entry().attempt().equals(one.entry().attempt())) {
          return new Contradiction();
        }
        // Prefer the account's copy: only an account has the time when it was put.
        next = next.filter(before -> before.came().isPresent()).or(() -> Optional.of(one));
      }
    }
    if (next.isPresent()
        ? !continues(position, next.get().entry(), state)
        : checkpoint.filter(one -> !canReplace(position, one.entry(), state)).isPresent()) {
      return new Contradiction();
    }
    Optional<Found> first = next.isPresent() ? next : checkpoint;
    return first.isPresent() ? new Next(first.get()) : new Unknown();
  }

  private static long numberOf(Optional<Position> position) {
    return position.map(Position::number).orElse(0L);
  }

  /** Returns whether {@code entry} can be the entry after the position. */
  private static boolean continues(
      Optional<Position> position, SettledEntry entry, TopicState state) {
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
      // Nothing has landed: the first offset may be moved, unless the topic is already complete up
      // to some time.
      return after.next() == at.next() || state.through().isEmpty();
    }
    return after.counts().equals(at.counts().plus(own))
        && (at.next() < 0 || firstOf(entry) == at.next());
  }

  /** Returns whether an entry's state can replace the entries after the position. */
  private static boolean canReplace(
      Optional<Position> position, SettledEntry entry, TopicState state) {
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
    return entry.match(
        claim -> RecordCounts.NONE,
        SettledEntry.Batch::counts,
        skip -> new RecordCounts(0, 0, skip.range().size(), 0, 0),
        checkpoint -> RecordCounts.NONE);
  }

  private static long firstOf(SettledEntry entry) {
    return entry.match(
        claim -> claim.state().next(),
        batch -> batch.range().first(),
        skip -> skip.range().first(),
        checkpoint -> checkpoint.state().next());
  }

  /**
   * Returns the first entry of the present topic, if the log begins with entries of a former topic
   * that no account contains. The present topic is the topic of the newest account.
   */
  Optional<SettledEntry> beginningOfPresentTopic() {
    Optional<String> topicId =
        found.stream()
            .map(Found::entry)
            .filter(entry -> entry.number() == accounted)
            .findFirst()
            .map(entry -> entry.state().generation().topicId());
    Optional<SettledEntry> begins =
        found.stream()
            .map(Found::entry)
            .filter(entry -> topicId.equals(Optional.of(entry.state().generation().topicId())))
            .min(Comparator.comparingLong(SettledEntry::number));
    return begins.filter(
        first ->
            found.stream().anyMatch(one -> one.entry().number() < first.number())
                && found.stream()
                    .filter(one -> one.entry().number() < first.number())
                    .allMatch(one -> one.came().isEmpty()));
  }

  /**
   * Returns the entry at which the ledger continues if the log cannot be read: the first accounted
   * entry above the position. Empty if this entry cannot be of the same log.
   */
  Optional<SettledEntry> replacingAccount(Optional<Position> position, TopicState state) {
    return found.stream()
        .filter(one -> one.came().isPresent() && one.entry().number() > numberOf(position))
        .map(Found::entry)
        .min(Comparator.comparingLong(SettledEntry::number))
        .filter(entry -> canReplace(position, entry, state));
  }

  /** Returns the entry at which the ledger continues after an operator has acknowledged a gap. */
  Optional<Found> newestAccount(Optional<Position> position) {
    return found.stream()
        .filter(one -> one.came().isPresent())
        .filter(
            one -> position.map(Position::attempt).filter(one.entry().attempt()::equals).isEmpty())
        .max(Comparator.comparingLong(one -> one.entry().number()));
  }
}
