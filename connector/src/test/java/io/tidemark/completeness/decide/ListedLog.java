package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.log.LogListing;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** A commit log in memory, which can be restored, folded, and have late files. */
final class ListedLog implements SettledLog {
  final SortedMap<Long, SettledEntry> entries = new TreeMap<>();
  final SortedMap<Long, Instant> times = new TreeMap<>();

  /** Files that appeared late at folded numbers, with the attempts that they name. */
  final SortedMap<Long, Linked> ghosts = new TreeMap<>();

  Optional<SettledEntry> checkpoint = Optional.empty();

  /** Called before each call of a reader. */
  Runnable disturb = () -> {};

  void put(SettledEntry entry, Instant at) {
    if (entry.isCheckpoint()) {
      checkpoint = Optional.of(entry);
      entries.keySet().removeIf(number -> number <= entry.number());
    } else {
      entries.put(entry.number(), entry);
      times.put(entry.number(), at);
    }
  }

  void fold(long number) {
    SettledEntry entry = entries.get(number);
    if (entry != null) {
      put(
          new SettledEntry.Checkpoint(
              entry.topic(), entry.topicPartition(), number, entry.attempt(), entry.state()),
          Instant.EPOCH);
    }
  }

  private long folded() {
    return checkpoint.map(SettledEntry::number).orElse(0L);
  }

  @Override
  public Optional<Linked> entry(long number) {
    disturb.run();
    return number > folded()
        ? Optional.ofNullable(entries.get(number)).map(entry -> new Linked(entry, before(number)))
        : Optional.ofNullable(ghosts.get(number));
  }

  private Optional<UUID> before(long number) {
    return number == folded() + 1
        ? checkpoint.map(SettledEntry::attempt)
        : Optional.ofNullable(entries.get(number - 1)).map(SettledEntry::attempt);
  }

  @Override
  public Optional<Linked> checkpoint(long number) {
    disturb.run();
    return checkpoint
        .filter(entry -> entry.number() == number)
        .map(entry -> new Linked(entry, Optional.empty()));
  }

  @Override
  public LogListing files() {
    disturb.run();
    return new LogListing(folded(), new TreeMap<>(times.tailMap(folded() + 1)));
  }

  /** Reads the log as a reckoner does, up to pointers to these entries. */
  LogRead read(Ledger ledger, String topic, int topicPartition, List<ReadEntry> pointed, int most) {
    List<LogReader.Pointed> pointers = new ArrayList<>();
    for (ReadEntry each : pointed) {
      SettledEntry entry = each.entry();
      pointers.add(
          new LogReader.Pointed(
              each.at(),
              new LogPointer(
                  topic, topicPartition, entry.number(), entry.attempt(), 1, List.of())));
    }
    try {
      return new LogReader(ledger, topic, topicPartition, this, pointers)
          .read(Optional.empty(), new Most(most), false);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A number of entries, and patience without end. */
  static final class Most implements LogReader.Limits {
    private final boolean dated;
    private int left;

    Most(int most) {
      this(most, true);
    }

    Most(int most, boolean dated) {
      this.left = most;
      this.dated = dated;
    }

    @Override
    public boolean allow() {
      return left-- > 0;
    }

    @Override
    public boolean full() {
      return left <= 0;
    }

    @Override
    public boolean dated() {
      return dated;
    }

    @Override
    public boolean passDamaged(String problem) {
      return false;
    }
  }
}
