package io.tidemark.connect.intake;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogFolding;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the ledger what a task is assigned, and up to where its logs are settled, in at most
 * one account per second. Each account replaces the earlier ones. Thread-safe.
 *
 * <p>Nothing waits for an account, except entries with Hive partitions that readers do not see:
 * they are folded only when an account has them, because the log does not.
 */
public final class Accountant {
  private static final Logger LOG = LoggerFactory.getLogger(Accountant.class);

  /** The minimum time between two accounts. */
  public static final long COALESCE_MS = 1_000;

  /** The wait for other topic-partitions, whose entries often settle together. */
  static final long GATHER_MS = 50;

  /** The interval at which an account is put again, in case that one was lost. */
  static final long AGAIN_MS = 3_600_000;

  /** The time after which the released entries are read again. */
  static final long RELEASED_MS = 60_000;

  private final Accounts accounts;
  private final PipelineSettings settings;
  private final Retries retries;
  private final Scheduling.Timer timer;
  private final MonotonicClock clock;

  // Guarded by this.
  private final SortedMap<TopicPartition, LogPointer> settled =
      new TreeMap<>(
          Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
  private final Set<TopicPartition> assigned = new HashSet<>();
  private CompletableFuture<Void> next = new CompletableFuture<>();
  private Map<TopicPartition, LogFolding.Released> released = Map.of();
  private List<String> waits = List.of();
  private Account written;
  private boolean changed;
  private boolean again;
  private boolean underWay;
  private long writtenMs;
  private long againMs;
  private long releasedMs;

  public Accountant(
      Accounts accounts,
      PipelineSettings settings,
      Retries retries,
      Scheduling.Timer timer,
      MonotonicClock clock) {
    this.accounts = accounts;
    this.settings = settings;
    this.retries = retries;
    this.timer = timer;
    this.clock = clock;
    this.written = account();
    this.againMs = clock.millis() + AGAIN_MS;
    this.writtenMs = clock.millis() - COALESCE_MS;
    this.releasedMs = clock.millis() - RELEASED_MS;
  }

  /**
   * Reports that all entries of a log up to a number are settled. Call it in the order of the log.
   *
   * @param unseen the Hive partitions of this entry that readers do not see
   * @return a future that completes when the account is durable. It never completes if the task
   *     stops first: the next owner reports the entry
   */
  public CompletableFuture<Void> settled(
      TopicPartition topicPartition, long number, UUID attempt, List<HivePartitionId> unseen) {
    if (!accounts.countTopic(topicPartition.topic())) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> durable;
    synchronized (this) {
      settled.merge(
          topicPartition,
          pointer(topicPartition, number, attempt, number, unseen),
          (before, now) ->
              now.number() < before.number()
                  ? after(before, before.number(), before.attempt(), unseen)
                  : after(before, number, attempt, unseen));
      changed = true;
      durable = next;
    }
    writeSoon();
    return durable;
  }

  private static LogPointer after(
      LogPointer before, long number, UUID attempt, List<HivePartitionId> unseen) {
    Set<HivePartitionId> all = new HashSet<>(before.unseen());
    all.addAll(unseen);
    TopicPartition of = new TopicPartition(before.topic(), before.topicPartition());
    return pointer(of, number, attempt, before.since(), List.copyOf(all));
  }

  private static LogPointer pointer(
      TopicPartition of, long number, UUID attempt, long since, List<HivePartitionId> unseen) {
    return unseen.size() > LogPointer.UNSEEN_MOST
        ? new LogPointer(of.topic(), of.partition(), number, attempt, number + 1, List.of())
        : new LogPointer(of.topic(), of.partition(), number, attempt, since, unseen);
  }

  /** Adds topic-partitions that the task was assigned. Their logs may not be claimed yet. */
  public void assign(Collection<TopicPartition> topicPartitions) {
    synchronized (this) {
      assigned.addAll(topicPartitions);
      assigned.removeIf(each -> !accounts.countTopic(each.topic()));
      changed = true;
    }
    writeSoon();
  }

  /** Reports the waits that may need an operator. */
  public void waits(List<String> now) {
    synchronized (this) {
      if (now.equals(waits)) {
        return;
      }
      waits = List.copyOf(now);
      changed = true;
    }
    writeSoon();
  }

  /** Puts an account again, once per hour. */
  public void again() {
    synchronized (this) {
      if (clock.millis() < againMs) {
        return;
      }
      againMs = clock.millis() + AGAIN_MS;
      again = !written.assigned().isEmpty() || !written.logs().isEmpty();
      changed = true;
    }
    writeSoon();
  }

  /** Removes topic-partitions that were revoked. */
  public void forget(Collection<TopicPartition> topicPartitions) {
    synchronized (this) {
      settled.keySet().removeAll(topicPartitions);
      assigned.removeAll(topicPartitions);
      changed = true;
    }
    writeSoon();
  }

  /** Returns up to where the ledger has read a log. */
  public LogFolding.Released released(TopicPartition topicPartition) throws IOException {
    if (!accounts.countTopic(topicPartition.topic())) {
      return LogFolding.Released.ALL;
    }
    synchronized (this) {
      if (clock.millis() - releasedMs < RELEASED_MS) {
        return released.getOrDefault(topicPartition, LogFolding.Released.NONE);
      }
      releasedMs = clock.millis();
    }
    Map<TopicPartition, LogFolding.Released> read = accounts.released();
    synchronized (this) {
      released = read;
    }
    return read.getOrDefault(topicPartition, LogFolding.Released.NONE);
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
      LOG.debug("the task has stopped: the next owner reports its logs");
    }
  }

  private void write() {
    try {
      CompletableFuture<Void> written = retries.untilDone("write an account", this::put);
      CompletableFuture<Void> unused =
          written.whenComplete((done, failure) -> StepFailure.of(written).ifPresent(this::failed));
    } catch (Error e) { // such as no memory for a thread
      failed(e);
      throw e;
    }
  }

  /** Lets the next change start a new writer. */
  private synchronized void failed(Throwable failure) {
    underWay = false;
    if (!(failure instanceof CancellationException)) { // thrown when the task stops
      LOG.warn("settled entries are in no account yet: {}", PrintableText.of(failure), failure);
    }
  }

  private void put() throws IOException {
    Account account;
    CompletableFuture<Void> durable;
    boolean news;
    synchronized (this) {
      account = account();
      durable = next;
      next = new CompletableFuture<>();
      changed = false;
      news = again || !account.equals(written);
    }
    boolean durably = false;
    try {
      if (news) {
        accounts.put(account);
      }
      durably = true;
    } catch (RuntimeException e) {
      throw new IOException("the account was not written: " + PrintableText.of(e), e);
    } finally {
      if (!durably) {
        joinLater(durable);
      }
    }
    boolean more;
    synchronized (this) {
      written = account;
      writtenMs = news ? clock.millis() : writtenMs;
      again &= !news;
      underWay = false;
      more = changed;
    }
    durable.complete(null);
    if (more) {
      writeSoon();
    }
  }

  private Account account() {
    return new Account(
        settings.logId(),
        settings.claimant().task(),
        settings.claimant().worker(),
        byTopic(assigned),
        List.copyOf(settled.values()),
        waits);
  }

  /** What waits for an account that was not written waits for the next one. */
  private synchronized void joinLater(CompletableFuture<Void> durable) {
    CompletableFuture<Void> meanwhile = next;
    CompletableFuture<Void> unused = durable.thenRun(() -> meanwhile.complete(null));
    next = durable;
    changed = true;
  }

  private static SortedMap<String, List<Integer>> byTopic(Set<TopicPartition> all) {
    return all.stream()
        .sorted(Comparator.comparing(TopicPartition::partition))
        .collect(
            groupingBy(
                TopicPartition::topic, TreeMap::new, mapping(TopicPartition::partition, toList())));
  }
}
