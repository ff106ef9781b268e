package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.intake.DeadLetters;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.LogOpener;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.connect.intake.RecordIntake;
import io.tidemark.connect.intake.TaskTopic;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task's sessions, one for each topic-partition. Flushes them together, and pauses
 * topic-partitions to keep memory and backlog within their limits. Called by the task's thread
 * only. Only {@link #close} waits, no longer than its timeout.
 *
 * <p>It calls its parts in each put(), in an order that matters. They flush and pause.
 */
public final class LandingPipeline {
  private static final Logger LOG = LoggerFactory.getLogger(LandingPipeline.class);
  private static final long BUSY_POLL_MS = 20;
  // The consumer notices a rebalance only when its poll ends.
  private static final long IDLE_POLL_MS = 500;

  private final PipelineSettings settings;
  private final PipelineServices services;
  private final LogOpener opener;
  private final ConsumerControl consumer;
  private final Function<String, SchemaBinder> binders;
  private final FlushLimits limits;
  private final TaskHealth health;
  private final AtomicInteger filesToRegister = new AtomicInteger();
  private final Map<String, TaskTopic> topics = new HashMap<>();
  private final TaskTopic.Bound bindings =
      new TaskTopic.Bound(Runtime.getRuntime().maxMemory() / 8);
  private final Map<TopicPartition, TopicPartitionSession> sessions = new HashMap<>();
  private final ConsumerSteering steering;
  private final Backpressure backpressure;
  private final EndOffsetWatch endOffsets;
  private final Optional<PartitionEndFlush> partitionEnds;
  private final Optional<ScheduledFlush> scheduled;
  private final RateLimit rate;
  private final PausedTime pausedTime = new PausedTime();
  private volatile PipelineLoad load = PipelineLoad.NONE;
  private boolean flushUnderWay;
  private volatile boolean stopped;
  private @Nullable TopicPartitionSession last;

  /** Sends no request to a service. {@code binders} returns the binder of a topic, by its name. */
  public LandingPipeline(
      PipelineServices services,
      StoragePath logsRoot,
      Function<String, SchemaBinder> binders,
      ConsumerControl consumer) {
    this.services = services;
    this.settings = services.settings();
    this.health = services.health();
    this.consumer = consumer;
    this.steering = new ConsumerSteering(consumer);
    this.binders = binders;
    this.limits = new FlushLimits(settings, services.monotonic());
    this.opener = new LogOpener(services, logsRoot, topic -> binders.apply(topic).tables());
    this.endOffsets = new EndOffsetWatch(services, sessions);
    this.partitionEnds =
        settings
            .partitionEnds()
            .map(ends -> new PartitionEndFlush(ends, services, sessions, endOffsets));
    this.scheduled =
        settings.flushSchedule().map(times -> new ScheduledFlush(times, services.wall()));
    this.rate = new RateLimit(settings.recordsPerSecond(), services.monotonic());
    this.backpressure = new Backpressure(services);
  }

  /** Asks Connect to call put() soon: its poll blocks while all topic-partitions are paused. */
  public void callSoon() {
    consumer.callAgainWithin(BUSY_POLL_MS);
  }

  /** Opens topic-partitions; they stay paused until their logs are claimed and recovered. */
  public void open(Collection<TopicPartition> topicPartitions) {
    for (TopicPartition topicPartition : topicPartitions) {
      TaskTopic topic =
          topics.computeIfAbsent(
              topicPartition.topic(),
              name ->
                  new TaskTopic(
                      name,
                      binders.apply(name),
                      services.registryRetries(),
                      () -> !stopped,
                      bindings));
      sessions.put(
          topicPartition,
          new TopicPartitionSession(topicPartition, topic, services, opener, filesToRegister));
    }
    // A pattern can match more or fewer topics over time.
    topics.keySet().retainAll(sessions.keySet().stream().map(TopicPartition::topic).toList());
    steering.reassigned(topicPartitions);
    services.accountant().ifPresent(accountant -> accountant.assign(topicPartitions));
    steer();
  }

  /** Passes a record to its session; throws if the record cannot land. */
  public void accept(String topic, int partition, IncomingRecord record) {
    TopicPartitionSession session = session(topic, partition);
    if (session == null) {
      LOG.debug(
          "{}-{}@{} is ignored: this task does not have the topic-partition",
          topic,
          partition,
          record.offset());
      return;
    }
    accept(session, record);
  }

  private void accept(TopicPartitionSession session, IncomingRecord record) {
    if (session.accept(record)) {
      limits.count(record.valueBytes());
      rate.count();
      if (limits.full() || session.scattered()) {
        flush(true);
      }
    }
  }

  /**
   * Ends a put(): checks asynchronous work, flushes if a flush is due, and steers the consumer. The
   * order of the steps matters, for the reasons in comments. Throws if the task cannot continue.
   */
  public void endOfPut() {
    // A task that fails here starts no more work.
    requireNotRefusedForTooLong();
    // What Kafka has answered since the last put() comes before the sessions, which act on it.
    services.deadLetters().ifPresent(DeadLetters::advance);
    endOffsets.endOfPut();
    partitionEnds.ifPresent(PartitionEndFlush::endOfPut);
    // The records that sessions have buffered are accepted here, and count for the flush.
    advanceSessions();
    // Flushes never overlap, so the end of the previous one is noticed before the next is decided.
    endFlush();
    flushIfDue();
    // The flush has changed positions, limits and load, which are handed on last.
    requestCommitIfWanted();
    steer();
    // Independent of the other steps.
    services
        .accountant()
        .ifPresent(
            accountant -> {
              accountant.waits(health.forOperator());
              accountant.again();
            });
  }

  private void requireNotRefusedForTooLong() {
    health
        .refusedBeyond(settings.refusalDeadline())
        .ifPresent(
            wait -> {
              throw new LandingException(
                  "%s: refused for longer than refusal.deadline.ms=%d by %s Then restart the task."
                      .formatted(
                          wait.waiter().isEmpty() ? settings.logId() : wait.waiter(),
                          settings.refusalDeadline().toMillis(),
                          wait));
            });
  }

  private void advanceSessions() {
    for (TopicPartitionSession session : sessions.values()) {
      session.tick();
      for (IncomingRecord record : session.takeBuffered()) {
        accept(session, record);
      }
      session.intake().ifPresent(RecordIntake::endOfPut); // the next record is of a later put()
    }
  }

  private void endFlush() {
    if (flushUnderWay && sessions.values().stream().noneMatch(TopicPartitionSession::committing)) {
      flushUnderWay = false;
      consumer.requestCommit();
    }
  }

  private void flushIfDue() {
    if (intakes().anyMatch(RecordIntake::hasBatch)) {
      limits.batchWaits();
    }
    scheduled.ifPresent(times -> times.check(intakes().anyMatch(RecordIntake::hasRecords)));
    if (!flushUnderWay) {
      boolean everything =
          limits.full()
              || services.staging().memory().flushWanted()
              || scattered()
              || scheduled.filter(ScheduledFlush::due).isPresent()
              || partitionEnds.filter(PartitionEndFlush::due).isPresent();
      if (everything || limits.due()) {
        flush(everything);
      }
    }
  }

  private void requestCommitIfWanted() {
    boolean wanted = partitionEnds.filter(PartitionEndFlush::takeCommitWanted).isPresent();
    for (TopicPartitionSession session : sessions.values()) {
      wanted |= session.wantsCommit();
    }
    if (wanted) {
      consumer.requestCommit();
    }
  }

  /** Returns the offset of a topic-partition that may be committed for the consumer group. */
  public OptionalLong groupOffset(TopicPartition topicPartition) {
    TopicPartitionSession session = sessions.get(topicPartition);
    return session == null ? OptionalLong.empty() : session.position().groupOffset();
  }

  /**
   * Returns the offsets to commit for the consumer group, the first that each log does not cover,
   * with the metadata for the cluster check. The first position that is passed to this method
   * becomes the start of an empty log.
   *
   * @param reached the positions of the consumer; Connect accepts no larger offsets
   */
  public Map<TopicPartition, GroupOffset> tellGroup(Map<TopicPartition, Long> reached) {
    Map<TopicPartition, GroupOffset> offsets = new HashMap<>();
    reached.forEach(
        (topicPartition, most) -> {
          TopicPartitionSession session = sessions.get(topicPartition);
          if (session != null) {
            session.position().reached(most);
            OptionalLong offset = session.position().groupOffset();
            if (offset.isPresent() && (offset.getAsLong() <= most || session.fellBack())) {
              String text = session.clusterCheck().map(ClusterCheck::metadata).orElse("");
              long told = Math.min(offset.getAsLong(), most);
              offsets.put(topicPartition, new GroupOffset(told, text));
            }
          }
        });
    return offsets;
  }

  /** Closes topic-partitions; see {@link ClosingSessions}. Ignores those of other tasks. */
  public void close(Collection<TopicPartition> topicPartitions) {
    List<TopicPartitionSession> closing =
        topicPartitions.stream().flatMap(each -> Stream.ofNullable(sessions.remove(each))).toList();
    steering.reassigned(topicPartitions);
    last = null;
    new ClosingSessions(closing, services.deadLetters(), settings.closeTimeoutMs()).close();
    services.accountant().ifPresent(accountant -> accountant.forget(topicPartitions));
    if (sessions.isEmpty()) {
      limits.restart();
    }
  }

  /** Returns empty if the topic-partition is not assigned to this task. */
  public Optional<TopicPartitionProgress> progress(TopicPartition topicPartition) {
    return Optional.ofNullable(sessions.get(topicPartition)).map(TopicPartitionSession::progress);
  }

  /** Returns the dead letters of a kind so far. Thread-safe. */
  public long deadLetters(RejectedRecord.Kind kind) {
    return services.deadLetters().map(letters -> letters.taken(kind)).orElse(0L);
  }

  public PipelineLoad load() {
    return load;
  }

  public void stop() {
    close(List.copyOf(sessions.keySet()));
    stopped = true;
  }

  private @Nullable TopicPartitionSession session(String topic, int partition) {
    TopicPartitionSession session = last;
    if (session == null
        || session.topicPartition().partition() != partition
        || !session.topicPartition().topic().equals(topic)) {
      session = sessions.get(new TopicPartition(topic, partition));
      last = session;
    }
    return session;
  }

  /** Flushes everything, or at the interval, the batches that may not wait for larger files. */
  private void flush(boolean everything) {
    if (!flushUnderWay) {
      // Whatever the reason, a flush of everything serves all others: it has all records that wait.
      scheduled.ifPresent(ScheduledFlush::flushing);
      partitionEnds.ifPresent(PartitionEndFlush::flushing);
      sessions.values().stream()
          .filter(each -> everything || each.intake().filter(RecordIntake::mayWait).isEmpty())
          .forEach(TopicPartitionSession::flush);
      flushUnderWay = true;
      limits.restart();
    }
  }

  private boolean scattered() {
    return intakes().anyMatch(RecordIntake::scattered);
  }

  private Stream<RecordIntake> intakes() {
    return sessions.values().stream().flatMap(session -> session.intake().stream());
  }

  /** Pauses, resumes and seeks the consumer, requests the next put(), and shows the load. */
  private void steer() {
    applyLimits();
    health.look();
    rate.refill();
    boolean limited = backpressure.pausing() || rate.pausing();
    steering.steer(sessions.values(), limited, health);
    consumer.callAgainWithin(nextPutInMs());
    pausedTime.update(
        limited || health.state() != HealthState.WORKING, services.monotonic().millis());
    load = presentLoad();
  }

  private void applyLimits() {
    long unsubmitted = intakes().mapToLong(RecordIntake::unsubmittedBytes).sum();
    MemoryBudget memory = services.staging().memory();
    // Submit partial chunks while paused: their bytes would keep the memory limit reached.
    if (unsubmitted >= memory.limitBytes() / 4 || backpressure.pausing()) {
      intakes().forEach(RecordIntake::submitChunk);
      unsubmitted = 0;
    }
    memory.unsubmitted(unsubmitted);
    backpressure.update(filesToRegister.get(), flushUnderWay && (limits.full() || scattered()));
  }

  /** Returns the time until the next put(): short while other threads work for the task. */
  private long nextPutInMs() {
    boolean busy =
        backpressure.pausing()
            || endOffsets.busy()
            || partitionEnds.filter(PartitionEndFlush::busy).isPresent()
            || services.deadLetters().filter(letters -> letters.pending() > 0).isPresent()
            || sessions.values().stream().anyMatch(TopicPartitionSession::busy);
    if (busy) {
      return BUSY_POLL_MS;
    }
    long slowedMs = rate.pausing() ? rate.lastsMs() : IDLE_POLL_MS;
    return Math.max(1, Math.min(Math.min(limits.dueInMs(), IDLE_POLL_MS), slowedMs));
  }

  private PipelineLoad presentLoad() {
    return new PipelineLoad(
        health.state(),
        Stream.of(backpressure.because(), rate.because(), health.because())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; ")),
        pausedTime.totalMs(),
        pausedTime.lastsMs(),
        services.staging().memory().usedBytes(),
        services.staging().openFiles().get(),
        filesToRegister.get(),
        services.deadLetters().map(DeadLetters::pending).orElse(0),
        sessions.size(),
        steering.paused());
  }
}
