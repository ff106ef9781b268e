package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.LogRead;
import io.tidemark.completeness.decide.LogReader;
import io.tidemark.completeness.decide.ReadEntry;
import io.tidemark.completeness.decide.SettledLog;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogListing;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tasks' commit logs up to where accounts point, in passes. A pass reads at most {@link
 * #ENTRIES_MOST} entries, or entries with {@link #FILES_MOST} files. Not thread-safe.
 *
 * <p>What was read is kept until it is in the ledger and shown, so that each entry is opened once.
 */
final class CommitLogs {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLogs.class);

  static final int ENTRIES_MOST = 1_000;

  /** A file takes about 600 bytes of an entry, so these take about 64 MiB. */
  static final int FILES_MOST = 100_000;

  /** The most entries of one log in a pass. */
  private static final int OF_LOG_MOST = 100;

  private static final long GAPS_TESTED_MS = Duration.ofMinutes(1).toMillis();
  private static final long ALL_TESTED_MS = Duration.ofHours(6).toMillis();
  private static final long DAMAGE_PASSED_MS = Duration.ofMinutes(10).toMillis();

  private final ReckonerServices services;
  private final TopicRules rules;

  /** What was read and is not shown yet. */
  private final Map<TopicPartition, LogRead> kept = new HashMap<>();

  /** Since when the next entry of a log cannot be read. */
  private final Map<TopicPartition, Long> damagedSinceMs = new ConcurrentHashMap<>();

  /** The logs of which the store did not return a file. They are read and tested again. */
  private final Set<TopicPartition> unread = ConcurrentHashMap.newKeySet();

  private final Set<LogPointer> refuted = ConcurrentHashMap.newKeySet();
  private TopicPartition last = new TopicPartition("", 0);
  private long gapsTestAtMs;
  private long allTestAtMs;
  private Pass pass = new Pass();

  CommitLogs(ReckonerServices services, TopicRules rules) {
    this.services = services;
    this.rules = rules;
  }

  /** The ledger was claimed: the next pass tests whether all logs have the ledger's positions. */
  void claimed() {
    kept.clear();
    allTestAtMs = 0;
  }

  /** Returns whether the last pass has read as much as it may. */
  boolean full() {
    return pass.full();
  }

  Set<LogPointer> refuted() {
    return refuted;
  }

  private static final class Pass {
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong files = new AtomicLong();

    boolean full() {
      return entries.get() >= ENTRIES_MOST || (entries.get() > 0 && files.get() >= FILES_MOST);
    }
  }

  /** Reads the logs, as far as a pass allows. Their log directory must be that of these tables. */
  List<LogRead> read(
      Ledger ledger, Collection<Inbox.Received> accounts, Collection<TableLayout> tables)
      throws IOException, CorruptLogException {
    long nowMs = services.monotonic().millis();
    NavigableMap<TopicPartition, List<LogReader.Pointed>> pointers = pointers(accounts);
    Set<TopicPartition> tested = tested(ledger, nowMs);
    tested.forEach(each -> pointers.putIfAbsent(each, List.of()));
    kept.values().removeIf(each -> !followsPosition(ledger, each));
    kept.keySet().forEach(each -> pointers.putIfAbsent(each, List.of()));
    refuted.clear();
    pass = new Pass();
    kept.values().forEach(each -> pass.entries.addAndGet(each.entries().size()));
    List<FutureTask<LogRead>> reads = new ArrayList<>();
    for (TopicPartition each : inTurn(pointers)) {
      List<LogReader.Pointed> pointed = pointers.getOrDefault(each, List.of());
      Optional<LogRead> before = Optional.ofNullable(kept.get(each));
      reads.add(new FutureTask<>(() -> read(ledger, each, pointed, before, tested.contains(each))));
    }
    reads.forEach(services.readers()::execute);
    kept.clear();
    List<LogRead> all = new ArrayList<>();
    for (FutureTask<LogRead> each : reads) {
      LogRead read = joined(each);
      if (!read.entries().isEmpty()) {
        last = new TopicPartition(read.topic(), read.topicPartition());
        kept.put(last, read);
      }
      all.add(read);
    }
    if (all.stream().anyMatch(read -> read.kind() == LogRead.Kind.CONTRADICTS)) {
      LogOwner.requireTables(services.storage(), services.log(), tables);
    }
    allTestAtMs = nowMs >= allTestAtMs ? nowMs + ALL_TESTED_MS : allTestAtMs;
    gapsTestAtMs = nowMs >= gapsTestAtMs ? nowMs + GAPS_TESTED_MS : gapsTestAtMs;
    return all;
  }

  private static LogRead joined(FutureTask<LogRead> read) throws IOException {
    try {
      return read.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the reckoner stops");
    }
  }

  private static NavigableMap<TopicPartition, List<LogReader.Pointed>> pointers(
      Collection<Inbox.Received> accounts) {
    NavigableMap<TopicPartition, List<LogReader.Pointed>> pointers = new TreeMap<>(ORDER);
    for (Inbox.Received each : accounts) {
      for (LogPointer pointer : each.account().logs()) {
        pointers
            .computeIfAbsent(
                new TopicPartition(pointer.topic(), pointer.topicPartition()),
                topicPartition -> new ArrayList<>())
            .add(new LogReader.Pointed(each.at(), pointer));
      }
    }
    return pointers;
  }

  static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);

  /** Returns the logs in turn, beginning after the last one of which entries were read. */
  private List<TopicPartition> inTurn(NavigableMap<TopicPartition, ?> sorted) {
    List<TopicPartition> turn = new ArrayList<>(sorted.tailMap(last, false).keySet());
    turn.addAll(sorted.headMap(last, true).keySet());
    return turn;
  }

  private Set<TopicPartition> tested(Ledger ledger, long nowMs) {
    Set<TopicPartition> tested = new HashSet<>(unread);
    if (nowMs >= allTestAtMs) {
      ledger
          .state()
          .topics()
          .forEach(
              (name, topic) ->
                  topic.at().keySet().forEach(each -> tested.add(new TopicPartition(name, each))));
    }
    if (nowMs >= gapsTestAtMs) {
      ledger.state().holds().stream()
          .filter(hold -> hold.kind() == HoldKind.GAP && hold.open())
          .forEach(hold -> tested.add(new TopicPartition(hold.topic(), hold.topicPartition())));
    }
    return tested;
  }

  private static boolean followsPosition(Ledger ledger, LogRead read) {
    Position position = ledger.state().topic(read.topic()).at().get(read.topicPartition());
    return position == null || read.entries().get(0).entry().number() > position.number();
  }

  private LogRead read(
      Ledger ledger,
      TopicPartition of,
      List<LogReader.Pointed> pointers,
      Optional<LogRead> before,
      boolean test) {
    ReducedLog log = new ReducedLog(of, services.logOf(of), pass.files::addAndGet);
    LogReader reader = new LogReader(ledger, of.topic(), of.partition(), log, pointers);
    Limits limits = new Limits(of, rules.of(of.topic()).idleHolds());
    LogRead read;
    try {
      read = reader.read(before, limits, test);
      unread.remove(of);
    } catch (IOException e) { // After an outage the store returns the file.
      unread.add(of);
      read =
          reader.nothing(
              LogRead.Kind.DAMAGED,
              "the store does not return a file of the log: %s. The ledger continues once it does. If the file is lost, restore it from a copy. Or remove it: 10 minutes later the ledger continues without it, and totals are partial"
                  .formatted(PrintableText.messageOf(e)));
    }
    if (!limits.damaged) {
      damagedSinceMs.remove(of);
    }
    refuted.addAll(reader.refuted());
    return read;
  }

  private final class Limits implements LogReader.Limits {
    private final TopicPartition of;
    private final boolean dated;
    private int left = OF_LOG_MOST;
    private boolean damaged;

    Limits(TopicPartition of, boolean dated) {
      this.of = of;
      this.dated = dated;
    }

    @Override
    public boolean allow() {
      return left-- > 0 && !pass.full() && pass.entries.incrementAndGet() > 0;
    }

    @Override
    public boolean full() {
      return pass.full();
    }

    @Override
    public boolean dated() {
      return dated;
    }

    @Override
    public boolean passDamaged(String problem) {
      damaged = true;
      long nowMs = services.monotonic().millis();
      Long since = damagedSinceMs.putIfAbsent(of, nowMs);
      if (since == null) {
        LOG.warn("{}: the ledger waits for 10 minutes, because {}", of, problem);
        return false;
      }
      return nowMs - since >= DAMAGE_PASSED_MS;
    }
  }

  /** A commit log that reduces entries as soon as they are read, and reports their files. */
  private record ReducedLog(TopicPartition of, CommitLog log, LongConsumer filesRead)
      implements SettledLog {

    @Override
    public Optional<Linked> entry(long number) throws IOException, CorruptLogException {
      return log.find(number).map(this::linked);
    }

    @Override
    public Optional<Linked> checkpoint(long number) throws IOException, CorruptLogException {
      return log.findCheckpoint(number).map(this::linked);
    }

    private Linked linked(NumberedEntry<CommitEntry> entry) {
      entry.entry().asBatch().ifPresent(batch -> filesRead.accept(batch.files().size()));
      return new Linked(SettledEntry.of(of.topic(), of.partition(), entry), entry.entry().before());
    }

    @Override
    public LogListing files() throws IOException {
      return log.list();
    }
  }

  /** Returns the entries that an entry of the ledger took, without those that are folded. */
  List<SettledEntry> taken(OwnedLedger.Unshown unshown) throws IOException {
    List<SettledEntry> taken = new ArrayList<>();
    Map<String, TopicState> after = unshown.entry().entry().state().topics();
    for (Map.Entry<String, TopicState> topic : after.entrySet()) {
      for (Map.Entry<Integer, Position> each : topic.getValue().at().entrySet()) {
        Position before = unshown.before().state().topic(topic.getKey()).at().get(each.getKey());
        boolean jumped = // Only the last entry was taken, after an acknowledged gap.
            unshown.before().state().holds().stream()
                .anyMatch(hold -> !hold.open() && hold.isGap(topic.getKey(), each.getKey()));
        taken.addAll(
            between(
                new TopicPartition(topic.getKey(), each.getKey()),
                before == null ? 0 : before.number(),
                each.getValue(),
                jumped));
      }
    }
    return taken;
  }

  private List<SettledEntry> between(TopicPartition of, long after, Position upTo, boolean jumped)
      throws IOException {
    LogRead read = kept.get(of);
    if (read != null
        && read.last().entry().number() >= upTo.number()
        && read.entries().get(0).entry().number() > after) {
      return read.entries().stream()
          .map(ReadEntry::entry)
          .filter(entry -> entry.number() <= upTo.number())
          .toList();
    }
    // Backwards: an entry names the one before it, so a late file of a folded number is not taken.
    List<SettledEntry> entries = new ArrayList<>();
    ReducedLog log = new ReducedLog(of, services.logOf(of), files -> {});
    Optional<UUID> attempt = Optional.of(upTo.attempt());
    try {
      for (long number = upTo.number(); number > after; number--) {
        Optional<SettledLog.Linked> found = log.entry(number);
        if (found.isEmpty() || !attempt.equals(found.map(each -> each.entry().attempt()))) {
          break;
        }
        entries.add(found.get().entry());
        attempt = found.get().before();
        if (jumped) {
          break;
        }
      }
    } catch (CorruptLogException e) {
      LOG.warn(
          "{}: rows of entries after {} are missing: {}", of, after, PrintableText.messageOf(e));
    }
    Collections.reverse(entries);
    return entries;
  }
}
