package io.tidemark.completeness.decide;

import io.tidemark.completeness.decide.LogRead.Kind;
import io.tidemark.completeness.decide.SettledLog.Linked;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogListing;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads the log of one topic-partition, from the ledger's position up to the entry of the newest
 * valid pointer. Not thread-safe; each reading has its own object.
 *
 * <p>This is one class, because each step decides by the entries that earlier steps have opened.
 *
 * <p>A pointer is valid if the log has the attempt that it names. It may be of a fenced task: its
 * entries are settled in any case. Files may appear at numbers that are folded, because a rename
 * may take effect late. So entries count only if the pointer's entry follows them, or if they are
 * above the checkpoint of a listing that was made after they were read.
 *
 * <p>Each entry names the attempt before it. So a log that was restored from a copy, and has grown
 * again, does not look like one that continues.
 */
public final class LogReader {
  private static final int LISTINGS = 5;
  private static final LogListing NOT_LISTED = new LogListing(0, Sorted.none());

  private final Ledger ledger;
  private final String topic;
  private final int topicPartition;
  private final SettledLog log;
  private final List<Pointed> pointers;
  private final Optional<Position> position;
  private final Map<Long, Optional<Linked>> opened = new HashMap<>();
  private final List<LogPointer> refuted = new ArrayList<>();
  private Set<HivePartitionId> keptUnseen = Set.of();

  /** A pointer of an account, and when the account was put, by the store's clock. */
  public record Pointed(Instant at, LogPointer pointer) {}

  public interface Limits {
    /** Returns whether another entry may be read in this pass, and counts it. */
    boolean allow();

    /** Returns whether no further entry may be read in this pass. */
    boolean full();

    /** Returns whether the times of entries are needed, which costs a listing of the log. */
    boolean dated();

    /** Returns whether to continue after an entry that cannot be read. */
    boolean passDamaged(String problem);
  }

  public LogReader(
      Ledger ledger, String topic, int partition, SettledLog log, Collection<Pointed> pointers) {
    this.ledger = ledger;
    this.topic = topic;
    this.topicPartition = partition;
    this.log = log;
    this.pointers =
        pointers.stream()
            .sorted(Comparator.comparingLong((Pointed each) -> -each.pointer().number()))
            .toList();
    this.position = Optional.ofNullable(ledger.state().topic(topic).at().get(partition));
  }

  /** Returns the pointers that name no entry of the log. They will never be valid. */
  public List<LogPointer> refuted() {
    return refuted;
  }

  /**
   * Reads the log. {@code known} is what was read of it after the position, and is not in the
   * ledger yet. With {@code test}, the entry of the position is tested in any case.
   */
  public LogRead read(Optional<LogRead> known, Limits limits, boolean test) throws IOException {
    Optional<Hold> gap = new Holds(ledger.state().holds()).gap(topic, topicPartition);
    if (gap.filter(Hold::open).isPresent()) {
      return result(continues() ? Kind.RETURNED : Kind.FOLLOWS, List.of(), Long.MAX_VALUE);
    }
    Optional<Instant> after = gap.flatMap(Hold::acknowledgedAt);
    keptUnseen = known.map(LogRead::unseen).orElse(Set.of());
    boolean doubtful = test;
    for (Pointed each : pointers) {
      LogPointer pointer = each.pointer();
      if (after.filter(at -> !each.at().isAfter(at)).isPresent()) {
        continue;
      }
      if (pointer.number() <= number()) {
        doubtful |=
            pointer.number() < number() || !attempt().equals(Optional.of(pointer.attempt()));
        continue;
      }
      if (known.filter(read -> read.last().entry().number() >= pointer.number()).isPresent()
          || limits.full()) {
        return kept(known);
      }
      if (names(pointer)) {
        return after.isPresent() ? newest(pointer) : upTo(pointer, known, limits);
      }
      refuted.add(pointer);
      doubtful = true;
    }
    return doubtful && !hasPosition()
        ? nothing(
            Kind.CONTRADICTS,
            "its entry %d is not the one that the ledger has read".formatted(number()))
        : kept(known);
  }

  private LogRead kept(Optional<LogRead> known) {
    return known
        .map(read -> result(read.kind(), read.entries(), read.lookBelow()))
        .orElseGet(() -> result(Kind.FOLLOWS, List.of(), Long.MAX_VALUE));
  }

  private long number() {
    return position.map(Position::number).orElse(0L);
  }

  private Optional<UUID> attempt() {
    return position.map(Position::attempt);
  }

  /** Returns whether the log has the entry of the position, or a checkpoint that replaced it. */
  private boolean hasPosition() throws IOException {
    if (position.isEmpty()) {
      return true;
    }
    try {
      Optional<Linked> there = entry(number());
      for (int listings = 0; listings < LISTINGS; listings++) {
        long folded = log.files().checkpoint();
        if (folded < number()) {
          return there.filter(each -> isPosition(each.entry())).isPresent();
        }
        Optional<Linked> checkpoint = log.checkpoint(folded); // The file of the entry may be old.
        if (checkpoint.isPresent()) {
          return canReplace(checkpoint.get());
        }
      }
      return true; // The log is folded too often: it is tested again.
    } catch (CorruptLogException e) {
      return true; // It is not known. The task reports the damage.
    }
  }

  /** Returns whether the log has the entry of the position, and none that cannot follow it. */
  private boolean continues() throws IOException {
    try {
      return hasPosition()
          && entry(number() + 1)
              .filter(
                  each ->
                      !each.follows(attempt())
                          || !Succeeding.continues(
                              position, each.entry(), ledger.state().topic(topic)))
              .isEmpty();
    } catch (CorruptLogException e) {
      return false;
    }
  }

  private boolean isPosition(SettledEntry entry) {
    return attempt().equals(Optional.of(entry.attempt()));
  }

  private boolean canReplace(Linked checkpoint) {
    SettledEntry entry = checkpoint.entry();
    return entry.number() == number()
        ? isPosition(entry)
        : Succeeding.canReplace(position, entry, ledger.state().topic(topic));
  }

  /** Returns whether the log has the entry that a pointer names, or has folded it. */
  private boolean names(LogPointer pointer) throws IOException {
    try {
      return entry(pointer.number())
              .filter(each -> each.entry().attempt().equals(pointer.attempt()))
              .isPresent()
          || log.files().checkpoint() >= pointer.number();
    } catch (CorruptLogException e) {
      return true; // The pointer may name it: what precedes the damage is read.
    }
  }

  private Optional<Linked> entry(long number) throws IOException, CorruptLogException {
    Optional<Linked> known = opened.get(number);
    if (known == null) {
      known = log.entry(number);
      opened.put(number, known);
    }
    return known;
  }

  /** Continues at a pointer after an acknowledged gap. */
  private LogRead newest(LogPointer pointer) throws IOException {
    try {
      LogListing files = log.files();
      boolean folded = files.checkpoint() >= pointer.number();
      Optional<Linked> entry =
          folded ? log.checkpoint(files.checkpoint()) : entry(pointer.number());
      return result(
          Kind.REPLACES,
          entry.stream().map(each -> dated(each, files)).toList(),
          folded ? Long.MAX_VALUE : pointer.since());
    } catch (CorruptLogException e) {
      return damaged(PrintableText.messageOf(e));
    }
  }

  /** The entry after which the log is read. */
  private record Base(long number, Optional<UUID> attempt, Optional<Linked> checkpoint) {}

  private LogRead upTo(LogPointer pointer, Optional<LogRead> before, Limits limits)
      throws IOException {
    List<ReadEntry> known = new ArrayList<>();
    boolean replaces = before.filter(each -> each.kind() == Kind.REPLACES).isPresent();
    before.ifPresent(each -> known.addAll(each.entries()));
    Base base = new Base(number(), attempt(), Optional.empty());
    if (before.isPresent()) {
      SettledEntry last = before.get().last().entry();
      base = new Base(last.number(), Optional.of(last.attempt()), Optional.empty());
    }
    for (int listings = 0; listings < LISTINGS; listings++) {
      Following found = following(base, pointer, limits);
      LogListing files = found.reaches(pointer) && !limits.dated() ? NOT_LISTED : log.files();
      if (files.checkpoint() <= base.number()) {
        return found(base, found, known, replaces, pointer, files, limits);
      }
      known.clear();
      Optional<Linked> checkpoint;
      try {
        checkpoint = log.checkpoint(files.checkpoint());
      } catch (CorruptLogException e) {
        return damaged(PrintableText.messageOf(e), base, pointer, files, limits);
      }
      if (checkpoint.isPresent()) {
        if (!canReplace(checkpoint.get())) {
          return nothing(
              Kind.CONTRADICTS,
              "its checkpoint %d does not continue the counts that the ledger has read"
                  .formatted(files.checkpoint()));
        }
        replaces = true;
        base =
            new Base(
                files.checkpoint(), Optional.of(checkpoint.get().entry().attempt()), checkpoint);
      }
    }
    throw new IOException(
        "%s-%d: the log was folded during each of %d attempts to read it"
            .formatted(topic, topicPartition, LISTINGS));
  }

  /**
   * The entries after a base; why the entry after them cannot be read, if there was a problem; and
   * whether entries of former topics were omitted.
   */
  private record Following(List<Linked> entries, Optional<String> problem, boolean skipped) {
    /** Returns whether the pointer's entry follows the base: so all of them are of the log. */
    boolean reaches(LogPointer pointer) {
      return !entries.isEmpty()
          && entries.get(entries.size() - 1).entry().attempt().equals(pointer.attempt());
    }
  }

  private Following following(Base base, LogPointer pointer, Limits limits) throws IOException {
    List<Linked> entries = new ArrayList<>();
    Optional<UUID> last = base.attempt();
    Optional<String> present = presentTopic(pointer);
    boolean skipped =
        base.checkpoint()
            .map(each -> each.entry().state().generation().topicId())
            .filter(id -> present.filter(each -> !each.equals(id)).isPresent())
            .isPresent();
    for (long number = base.number() + 1; number <= pointer.number(); number++) {
      try {
        Optional<Linked> next = entry(number);
        if (next.isEmpty() || !next.get().follows(last)) {
          String how = next.isEmpty() ? " is missing" : " does not name the entry before";
          return new Following(entries, Optional.of("entry " + number + how), skipped);
        }
        SettledEntry entry = next.get().entry();
        last = Optional.of(entry.attempt());
        if (present.filter(id -> !id.equals(entry.state().generation().topicId())).isPresent()) {
          skipped = true; // It costs no memory, so it does not count.
        } else if (limits.allow()) {
          entries.add(next.get());
        } else {
          break;
        }
        opened.remove(number - 1); // An entry may be large.
      } catch (CorruptLogException e) {
        return new Following(entries, Optional.of(PrintableText.messageOf(e)), skipped);
      }
    }
    return new Following(entries, Optional.empty(), skipped);
  }

  /**
   * Returns the topic with whose first entry reading begins, if neither the ledger nor a pointer
   * has anything of former topics of the same name. They were removed, or deleted before it began.
   */
  private Optional<String> presentTopic(LogPointer pointer) throws IOException {
    if (position.isPresent()) {
      return Optional.empty();
    }
    LogPointer lowest = pointers.get(pointers.size() - 1).pointer();
    return topicId(pointer)
        .filter(id -> Succeeding.nothingOfFormerTopics(ledger, topic, id))
        .filter(topicId(lowest).stream().toList()::contains);
  }

  private Optional<String> topicId(LogPointer pointer) throws IOException {
    try {
      return entry(pointer.number()).map(each -> each.entry().state().generation().topicId());
    } catch (CorruptLogException e) {
      return Optional.empty();
    }
  }

  private LogRead found(
      Base base,
      Following found,
      List<ReadEntry> known,
      boolean replaces,
      LogPointer pointer,
      LogListing files,
      Limits limits)
      throws IOException {
    base.checkpoint()
        .filter(each -> !found.skipped())
        .ifPresent(each -> known.add(dated(each, files)));
    found.entries().forEach(each -> known.add(dated(each, files)));
    if (known.isEmpty() && found.problem().isPresent()) {
      String problem = found.problem().get();
      return hasPosition()
          ? damaged(problem, base, pointer, files, limits)
          : nothing(Kind.CONTRADICTS, problem);
    }
    // Entries above the pointer that were folded meanwhile are in no account that was listed.
    long lookBelow = base.number() > pointer.number() ? Long.MAX_VALUE : pointer.since();
    return result(replaces || found.skipped() ? Kind.REPLACES : Kind.FOLLOWS, known, lookBelow);
  }

  /** Continues at the first entry from which all up to the pointer's can be read, after a wait. */
  private LogRead damaged(
      String problem, Base base, LogPointer pointer, LogListing files, Limits limits)
      throws IOException {
    if (!limits.passDamaged(problem)) {
      return damaged(problem);
    }
    List<ReadEntry> entries = new ArrayList<>();
    Optional<UUID> attempt = Optional.of(pointer.attempt());
    for (long number = pointer.number(); number > base.number(); number--) {
      try {
        Optional<Linked> entry = entry(number);
        if (entry.isEmpty() || !attempt.equals(Optional.of(entry.get().entry().attempt()))) {
          break;
        }
        entries.add(0, dated(entry.get(), files));
        attempt = entry.get().before();
      } catch (CorruptLogException e) {
        break;
      }
    }
    if (entries.isEmpty()) {
      return damaged("entry %d cannot be read either".formatted(pointer.number()));
    }
    return Succeeding.canReplace(position, entries.get(0).entry(), ledger.state().topic(topic))
        ? result(Kind.REPLACES, entries, pointer.since())
        : nothing(Kind.CONTRADICTS, "the entries after a damaged one do not continue the counts");
  }

  private static ReadEntry dated(Linked entry, LogListing files) {
    long number = entry.entry().number();
    return new ReadEntry(files.entries().getOrDefault(number, Instant.EPOCH), entry.entry());
  }

  private LogRead damaged(String problem) {
    return nothing(
        Kind.DAMAGED,
        "%s. Restore the file from a copy. Without it, the ledger continues after 10 minutes at the next entry that can be read, and totals are partial"
            .formatted(problem));
  }

  /** Returns that nothing was read, and why. */
  public LogRead nothing(Kind kind, String detail) {
    return result(kind, List.of(), Long.MAX_VALUE, detail);
  }

  private LogRead result(Kind kind, List<ReadEntry> entries, long since) {
    return result(kind, entries, since, "");
  }

  private LogRead result(Kind kind, List<ReadEntry> entries, long since, String detail) {
    Set<HivePartitionId> unseen = new HashSet<>();
    pointers.stream()
        .map(Pointed::pointer)
        .filter(each -> !refuted.contains(each))
        .forEach(each -> unseen.addAll(each.unseen()));
    unseen.addAll(keptUnseen);
    Instant at =
        pointers.stream().map(Pointed::at).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
    return new LogRead(topic, topicPartition, kind, entries, since, unseen, at, detail);
  }
}
