package io.tidemark.connect.intake;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Claimant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a task's settled entries to the ledger, in at most one account per second. Each account
 * also has the topic-partitions that the task is assigned; a change is reported without entries,
 * too. Thread-safe.
 *
 * <p>If the ledger cannot be written for ten minutes, the waiting entries no longer wait, so that
 * logs can be folded. The ledger reads missing entries from the log, unless they are folded.
 * Entries with Hive partitions that readers do not see wait without a limit, because only their
 * account contains this information.
 */
public final class Accountant {
  private static final Logger LOG = LoggerFactory.getLogger(Accountant.class);

  /** The minimum time between two accounts. */
  public static final long COALESCE_MS = 1_000;

  /**
   * The wait for other topic-partitions, whose entries often settle together. It is short: a task
   * that fails again and again must still write accounts, or its logs are not folded.
   */
  static final long GATHER_MS = 50;

  /** The maximum number of entries in an account. */
  private static final int ENTRIES_MOST = 1_000;

  /** The most Hive partitions of several entries: the reckoner refuses more than 64 MiB. */
  static final int SUMS_MOST = 20_000;

  /** The wait of entries for a ledger that cannot be written. */
  static final long PATIENCE_MS = 600_000;

  /**
   * The interval at which the newest entry of each topic-partition, and what the task is assigned,
   * is in another account.
   */
  static final long AGAIN_MS = 3_600_000;

  private final Accounts accounts;
  private final String logId;
  private final Claimant claimant;
  private final Retries retries;
  private final Scheduling.Timer timer;
  private final MonotonicClock clock;

  // Guarded by this.
  private final Map<TopicPartition, AccountedEntry> newest = new HashMap<>();
  private final Set<TopicPartition> assigned = new HashSet<>();
  private Set<TopicPartition> reported = Set.of();
  private final List<Waiting> waiting = new ArrayList<>();
  private boolean underWay;
  private long writtenMs;
  private long againMs;
  private OptionalLong failingSinceMs = OptionalLong.empty();

  private record Waiting(AccountedEntry entry, CompletableFuture<Void> accounted) {

    boolean isUnseen() {
      return entry.asBatch().filter(batch -> !batch.unseen().isEmpty()).isPresent();
    }
  }

  public Accountant(
      Accounts accounts,
      PipelineSettings settings,
      Retries retries,
      Scheduling.Timer timer,
      MonotonicClock clock) {
    this.accounts = accounts;
    this.logId = settings.logId();
    this.claimant = settings.claimant();
    this.retries = retries;
    this.timer = timer;
    this.clock = clock;
    this.againMs = clock.millis() + AGAIN_MS;
    this.writtenMs = clock.millis() - COALESCE_MS;
  }

  /**
   * Adds a settled entry to the next account.
   *
   * @return a future that completes when the account is durable, or when the ledger could not be
   *     written for ten minutes. It never completes if the task stops first: the next owner adds
   *     the entry to an account
   */
  public CompletableFuture<Void> account(AccountedEntry entry) {
    if (!accounts.countTopic(entry.topic())) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> accounted = new CompletableFuture<>();
    add(new Waiting(entry, accounted));
    return accounted;
  }

  private void add(Waiting added) {
    AccountedEntry entry = added.entry();
    synchronized (this) {
      newest.merge(
          new TopicPartition(entry.topic(), entry.topicPartition()),
          entry,
          (one, other) -> one.number() > other.number() ? one : other);
      waiting.add(added);
    }
    writeSoon();
  }

  private void writeSoon() {
    long pauseMs;
    synchronized (this) {
      if (underWay) {
        return;
      }
      underWay = true;
      pauseMs = Math.max(GATHER_MS, writtenMs + COALESCE_MS - clock.millis());
    }
    try {
      timer.runAfter(pauseMs, this::write);
    } catch (RejectedExecutionException e) {
      LOG.debug("the task has stopped: the next owner reports what waits");
    }
  }

  /** Adds topic-partitions that the task was assigned. Their logs may not be claimed yet. */
  public void assign(Collection<TopicPartition> topicPartitions) {
    synchronized (this) {
      assigned.addAll(topicPartitions);
      assigned.removeIf(each -> !accounts.countTopic(each.topic()));
    }
    writeSoon();
  }

  /**
   * Adds the newest entries to an account again, once per hour, so that a lost account is detected.
   */
  public void again() {
    List<AccountedEntry> entries;
    synchronized (this) {
      if (clock.millis() < againMs) {
        return;
      }
      againMs = clock.millis() + AGAIN_MS;
      entries = new ArrayList<>(newest.values());
      // Do not add an entry that already waits.
      entries.removeAll(waiting.stream().map(Waiting::entry).toList());
      reported = Set.of();
    }
    for (AccountedEntry entry : entries) {
      add(new Waiting(entry, new CompletableFuture<>())); // Nothing waits for it.
    }
    writeSoon();
  }

  /** Removes topic-partitions that were revoked. */
  public void forget(Collection<TopicPartition> topicPartitions) {
    synchronized (this) {
      newest.keySet().removeAll(topicPartitions);
      assigned.removeAll(topicPartitions);
    }
    writeSoon();
  }

  /** Writes all waiting entries, and those that are added meanwhile. */
  private void write() {
    try {
      CompletableFuture<Void> written = retries.untilDone("write an account", this::writeAll);
      CompletableFuture<Void> unused = // Each entry has its own future.
          written.whenComplete((done, failure) -> StepFailure.of(written).ifPresent(this::failed));
    } catch (Error e) { // such as no memory for a thread
      failed(e);
      throw e;
    }
  }

  private void writeAll() throws IOException {
    for (Optional<List<Waiting>> next = next(); next.isPresent(); next = next()) {
      write(next.get());
    }
  }

  /** Lets the next added entry start a new writer, which writes the waiting entries, too. */
  private synchronized void failed(Throwable failure) {
    underWay = false;
    if (!(failure instanceof CancellationException)) { // thrown when the task stops
      LOG.warn("settled entries are in no account yet: {}", PrintableText.of(failure), failure);
    }
  }

  /**
   * Returns the oldest waiting entries for an account. If nothing waits, the next addition starts a
   * new writer.
   */
  private synchronized Optional<List<Waiting>> next() {
    List<Waiting> next = new ArrayList<>();
    int sums = 0;
    for (Waiting each : waiting) {
      sums += each.entry().asBatch().map(batch -> batch.sums().size()).orElse(0);
      if (next.size() == ENTRIES_MOST || (sums > SUMS_MOST && !next.isEmpty())) {
        break;
      }
      next.add(each);
    }
    underWay = !next.isEmpty() || !assigned.equals(reported);
    return underWay ? Optional.of(next) : Optional.empty();
  }

  private void write(List<Waiting> entries) throws IOException {
    Set<TopicPartition> has;
    synchronized (this) {
      has = Set.copyOf(assigned);
    }
    try {
      accounts.put(
          new Account(
              logId,
              claimant.task(),
              claimant.worker(),
              byTopic(has),
              entries.stream().map(Waiting::entry).toList()));
    } catch (IOException | RuntimeException e) {
      losePatience(e);
      throw e instanceof IOException away
          ? away
          : new IOException("the account was not written: " + PrintableText.of(e), e);
    }
    synchronized (this) {
      failingSinceMs = OptionalLong.empty();
      writtenMs = clock.millis();
      waiting.removeAll(entries);
      reported = has;
    }
    entries.forEach(each -> each.accounted().complete(null));
  }

  private static SortedMap<String, List<Integer>> byTopic(Set<TopicPartition> all) {
    return all.stream()
        .sorted(Comparator.comparing(TopicPartition::partition))
        .collect(
            groupingBy(
                TopicPartition::topic, TreeMap::new, mapping(TopicPartition::partition, toList())));
  }

  private void losePatience(Exception failure) {
    List<Waiting> released = new ArrayList<>();
    synchronized (this) {
      if (failingSinceMs.isEmpty()) {
        failingSinceMs = OptionalLong.of(clock.millis());
      }
      if (clock.millis() - failingSinceMs.getAsLong() < PATIENCE_MS) {
        return;
      }
      waiting.stream().filter(each -> !each.isUnseen()).forEach(released::add);
      waiting.removeIf(each -> !each.isUnseen());
    }
    if (!released.isEmpty()) {
      LOG.warn(
          "{}: {} entries no longer wait for the ledger, which could not be written for {} minutes: {}. Their logs may be folded now, and the totals of their Hive partitions may be incomplete. Check ledger.dir and its permissions.",
          logId,
          released.size(),
          PATIENCE_MS / 60_000,
          PrintableText.messageOf(failure));
      released.forEach(each -> each.accounted().complete(null));
    }
  }
}
