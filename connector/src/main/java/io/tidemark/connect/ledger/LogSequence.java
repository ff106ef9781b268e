package io.tidemark.connect.ledger;

import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.account.AccountedState;
import io.tidemark.connect.ledger.state.Position;
import io.tidemark.connect.ledger.state.TopicState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The entries of one topic-partition's log that are known, in any order and some of them twice, and
 * which of them comes after a position. An entry that was read from the log counts only below one
 * that some account tells of.
 */
final class LogSequence {
  private final List<Found> found;
  private final long accounted;

  LogSequence(List<Found> found) {
    this.found = List.copyOf(found);
    this.accounted =
        found.stream()
            .filter(one -> one.came().isPresent())
            .mapToLong(one -> one.entry().number())
            .max()
            .orElse(0);
  }

  /** An entry, and when its account came: never, where it was read from the log. */
  record Found(AccountedEntry entry, Optional<Instant> came) {}

  /** What comes after a position. */
  sealed interface Step {}

  /** An entry, or a checkpoint that stands for several. */
  record Next(Found found) implements Step {}

  /** Nothing that is known. */
  record Unknown() implements Step {}

  /** What cannot stand there in the log that the position is of. */
  record Contradiction() implements Step {}

  /** Whether an account tells of an entry above a position. */
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
            .flatMap(Position::attempt)
            .filter(a -> !a.equals(one.entry().attempt()))
            .isPresent()) {
          return new Contradiction();
        }
      } else if (other == number + 1 && (one.came().isPresent() || other <= accounted)) {
        if (next.isPresent() && !next.get().entry().attempt().equals(one.entry().attempt())) {
          return new Contradiction();
        }
        // An account knows more than the log: when it came.
        next = next.filter(before -> before.came().isPresent()).or(() -> Optional.of(one));
      }
    }
    if (next.isPresent()
        ? !continues(position, next.get().entry(), state)
        : checkpoint.filter(one -> !standsFor(position, one.entry(), state)).isPresent()) {
      return new Contradiction();
    }
    Optional<Found> first = next.isPresent() ? next : checkpoint;
    return first.isPresent() ? new Next(first.get()) : new Unknown();
  }

  private static long numberOf(Optional<Position> position) {
    return position.map(Position::number).orElse(0L);
  }

  /** Whether the entry after the position is what the log can have there. */
  private static boolean continues(
      Optional<Position> position, AccountedEntry entry, TopicState state) {
    if (position.isEmpty()) {
      return true; // entry 1
    }
    Position at = position.get();
    AccountedState after = entry.state();
    RecordCounts own = ownCounts(entry);
    if (!after.generation().topicId().equals(at.topicId())) {
      return after.counts().equals(own); // the next generation begins
    }
    if (at.next() >= 0 && after.counts().total() == 0 && at.counts().total() == 0) {
      // Nothing has landed: where it begins may be moved, unless something rests on it.
      return after.next() == at.next() || state.through().isEmpty();
    }
    return after.counts().equals(at.counts().plus(own))
        && (at.next() < 0 || firstOf(entry) == at.next());
  }

  /** Whether an entry's state can stand for the entries between the position and its own number. */
  private static boolean standsFor(
      Optional<Position> position, AccountedEntry entry, TopicState state) {
    AccountedState after = entry.state();
    return position
        .filter(at -> at.topicId().equals(after.generation().topicId()) && at.next() >= 0)
        .filter(at -> at.counts().total() > 0 || state.through().isPresent())
        .filter(
            at ->
                after.first() != at.next() - at.counts().total()
                    || !after.counts().continues(at.counts()))
        .isEmpty();
  }

  private static RecordCounts ownCounts(AccountedEntry entry) {
    return entry.match(
        claim -> RecordCounts.NONE,
        AccountedEntry.Batch::counts,
        skip -> new RecordCounts(0, 0, skip.range().size(), 0, 0),
        checkpoint -> RecordCounts.NONE);
  }

  private static long firstOf(AccountedEntry entry) {
    return entry.match(
        claim -> claim.state().next(),
        batch -> batch.range().first(),
        skip -> skip.range().first(),
        checkpoint -> checkpoint.state().next());
  }

  /**
   * The first entry of the topic that the newest account is of, where the log has entries of a
   * former topic before it and no account tells of those.
   */
  Optional<AccountedEntry> beginningOfLaterLife() {
    Optional<String> topicId =
        found.stream()
            .map(Found::entry)
            .filter(entry -> entry.number() == accounted)
            .findFirst()
            .map(entry -> entry.state().generation().topicId());
    Optional<AccountedEntry> begins =
        found.stream()
            .map(Found::entry)
            .filter(entry -> topicId.equals(Optional.of(entry.state().generation().topicId())))
            .min(Comparator.comparingLong(AccountedEntry::number));
    return begins.filter(
        first ->
            found.stream().anyMatch(one -> one.entry().number() < first.number())
                && found.stream()
                    .filter(one -> one.entry().number() < first.number())
                    .allMatch(one -> one.came().isEmpty()));
  }

  /**
   * Where the ledger goes on when the log cannot be read: at the first entry above the position of
   * which an account tells. Empty where it cannot be of the log that the position is of.
   */
  Optional<AccountedEntry> accountThatStandsFor(Optional<Position> position, TopicState state) {
    return found.stream()
        .filter(one -> one.came().isPresent() && one.entry().number() > numberOf(position))
        .map(Found::entry)
        .min(Comparator.comparingLong(AccountedEntry::number))
        .filter(entry -> standsFor(position, entry, state));
  }

  /** Where the ledger goes on after an operator has acknowledged that a log does not continue. */
  Optional<Found> newestAccount(Optional<Position> position) {
    return found.stream()
        .filter(one -> one.came().isPresent())
        .filter(
            one ->
                position.flatMap(Position::attempt).filter(one.entry().attempt()::equals).isEmpty())
        .max(Comparator.comparingLong(one -> one.entry().number()));
  }
}
