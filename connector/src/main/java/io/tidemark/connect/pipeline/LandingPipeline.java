package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.DeliveredRecord;
import io.tidemark.connect.commit.TopicDirectory;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.staging.LandingPlanner;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.storage.StoragePath;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task does: holds a session for each topic-partition, flushes them together, and keeps
 * memory and backlog within their limits by pausing. Called by the task's thread only; only {@link
 * #close} waits, for no longer than its time-out.
 */
public final class LandingPipeline {
  private static final Logger LOG = LoggerFactory.getLogger(LandingPipeline.class);
  private static final long BUSY_POLL_MS = 20;
  // A rebalance inside a poll is only noticed when the poll ends.
  private static final long IDLE_POLL_MS = 500;

  private final PipelineSettings settings;
  private final PipelineServices services;
  private final ConsumerControl consumer;
  private final Function<String, LandingPlanner> planners;
  private final FlushBoundary boundary;
  private final AtomicInteger filesToRegister = new AtomicInteger();
  private final Map<String, TopicPlans> topics = new HashMap<>();
  private final Map<TopicPartition, TopicPartitionSession> sessions = new HashMap<>();
  private final Set<TopicPartition> paused = new HashSet<>();
  private final Backpressure backpressure;
  private volatile PipelineLoad load = PipelineLoad.NONE;
  private boolean flushUnderWay;
  private volatile boolean stopped;
  private @Nullable TopicPartitionSession last;

  /**
   * Makes the pipeline; nothing is asked of any service yet.
   *
   * @param logsRoot the directory of all logs. Example: {@code /logs}
   * @param planners how the records of a topic land, by the topic's name
   * @param registrar none when tables are not to be registered
   * @param deadLetterQueue none when a record that cannot land is to stop the task
   */
  public LandingPipeline(
      PipelineSettings settings,
      StagingResources staging,
      TopicDirectory topicDirectory,
      StoragePath logsRoot,
      Function<String, LandingPlanner> planners,
      Optional<Registrar> registrar,
      Optional<DeadLetterQueue> deadLetterQueue,
      Scheduling scheduling,
      ConsumerControl consumer) {
    this.settings = settings;
    this.consumer = consumer;
    this.planners = planners;
    Clock clock = scheduling.clock();
    this.boundary = new FlushBoundary(settings, clock);
    this.services =
        new PipelineServices(
            settings,
            staging,
            topicDirectory,
            new LogOpener(staging.storage(), topicDirectory, logsRoot, settings, clock),
            registrar,
            deadLetterQueue.map(queue -> new DeadLetters(queue, staging.memory(), settings, clock)),
            retries(scheduling.steps(), scheduling, settings),
            retries(scheduling.registry(), scheduling, settings),
            retries(scheduling.catalog(), scheduling, settings),
            clock,
            scheduling.jitter());
    this.backpressure = new Backpressure(settings, staging.memory(), services.deadLetters(), clock);
  }

  /**
   * Asks to be called soon, where no put() has asked: the framework's next poll would otherwise
   * wait while all is paused.
   */
  public void callSoon() {
    consumer.callAgainWithin(BUSY_POLL_MS);
  }

  /** Takes topic-partitions; they stay paused until their logs are claimed and recovered. */
  public void open(Collection<TopicPartition> topicPartitions) {
    Set<String> held = new HashSet<>();
    topicPartitions.forEach(opened -> held.add(opened.topic()));
    sessions.keySet().forEach(open -> held.add(open.topic()));
    // Topics come and go where they are named by a pattern.
    topics.keySet().retainAll(held);
    for (TopicPartition topicPartition : topicPartitions) {
      TopicPlans plans = topics.computeIfAbsent(topicPartition.topic(), this::topicPlans);
      sessions.put(
          topicPartition,
          new TopicPartitionSession(topicPartition, plans, services, filesToRegister));
    }
    paused.removeAll(topicPartitions);
    steer();
  }

  /**
   * Takes a record in.
   *
   * @param timestamp in milliseconds since the epoch, or -1 where there is none
   * @param idHeader the header that may hold its schema id; null where it has none
   * @param value null for a record without one
   * @param delivered the record as it goes to the dead letter queue, where there is one
   * @throws LandingException the record cannot land
   */
  public void accept(
      String topic,
      int partition,
      long offset,
      long timestamp,
      byte @Nullable [] idHeader,
      byte @Nullable [] value,
      DeliveredRecord delivered) {
    TopicPartitionSession session = session(topic, partition);
    if (session == null) {
      LOG.debug("{}-{}@{} is not of a topic-partition of this task", topic, partition, offset);
      return;
    }
    if (session.accept(offset, timestamp, idHeader, value, delivered)) {
      boundary.count(value == null ? 0 : value.length);
      if (boundary.full() || session.scattered()) {
        flush();
      }
    }
  }

  /**
   * Ends a put(): looks at what goes on behind, flushes what is due, and steers the consumer.
   *
   * @throws LandingException the task cannot go on
   */
  public void endOfPut() {
    services.deadLetters().ifPresent(DeadLetters::advance);
    sessions.values().forEach(TopicPartitionSession::tick);
    if (flushUnderWay && sessions.values().stream().noneMatch(TopicPartitionSession::committing)) {
      flushUnderWay = false;
      consumer.requestCommit();
    }
    if (boundary.due() || services.staging().memory().flushWanted() || scattered()) {
      flush();
    }
    steer();
  }

  /**
   * The offsets up to which records are in the log: nothing else may be told to the consumer group.
   *
   * <p>Where a log is empty, it is the first offset that was delivered. The framework takes an
   * offset that was sought for one that is committed, unless it is told another one, and the next
   * owner of an empty log begins where the group stands.
   */
  public Map<TopicPartition, Long> committedOffsets() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (TopicPartitionSession session : sessions.values()) {
      session.groupOffset().ifPresent(offset -> offsets.put(session.topicPartition(), offset));
    }
    return offsets;
  }

  /**
   * Lets topic-partitions go: what they have gathered is flushed if that can be done in time, else
   * given up for their next owner to read again. Those that are not ours are ignored.
   */
  public void close(Collection<TopicPartition> topicPartitions) {
    List<TopicPartitionSession> closing = new ArrayList<>();
    for (TopicPartition topicPartition : topicPartitions) {
      TopicPartitionSession session = sessions.remove(topicPartition);
      paused.remove(topicPartition);
      if (session != null) {
        closing.add(session);
      }
    }
    last = null;
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.closeTimeoutMs());
    // A batch already on its way goes first: a topic-partition's batches are committed one after
    // another.
    try {
      await(closing, deadlineNanos);
      closing.forEach(TopicPartitionSession::flushIfFree);
      await(closing, deadlineNanos);
    } finally {
      closing.forEach(TopicPartitionSession::close);
    }
    if (sessions.isEmpty()) {
      boundary.restart();
    }
  }

  /** How full it is; can be asked by any thread. */
  public PipelineLoad load() {
    return load;
  }

  /** Ends everything that goes on behind. */
  public void stop() {
    close(List.copyOf(sessions.keySet()));
    stopped = true;
  }

  private static Retries retries(
      Executor executor, Scheduling scheduling, PipelineSettings settings) {
    return new Retries(executor, scheduling.timer(), scheduling.jitter(), settings.backoffMs());
  }

  private TopicPlans topicPlans(String topic) {
    return new TopicPlans(topic, planners.apply(topic), services.registryRetries(), () -> !stopped);
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

  /** Sends all batches on their way, unless the flush before is still under way. */
  private void flush() {
    if (!flushUnderWay) {
      sessions.values().forEach(TopicPartitionSession::flush);
      flushUnderWay = true;
      boundary.restart();
    }
  }

  private boolean scattered() {
    return sessions.values().stream().anyMatch(TopicPartitionSession::scattered);
  }

  /** Pauses and resumes, seeks, and says when to be called again. */
  private void steer() {
    hold();
    List<TopicPartition> toPause = new ArrayList<>();
    List<TopicPartition> toResume = new ArrayList<>();
    boolean busy = services.deadLetters().filter(letters -> letters.pending() > 0).isPresent();
    for (TopicPartitionSession session : sessions.values()) {
      TopicPartition topicPartition = session.topicPartition();
      session.takeSeek().ifPresent(offset -> consumer.seek(topicPartition, offset));
      busy |= session.busy();
      boolean pause = backpressure.holding() || !session.consuming();
      if (pause && paused.add(topicPartition)) {
        toPause.add(topicPartition);
      } else if (!pause && paused.remove(topicPartition)) {
        toResume.add(topicPartition);
      }
    }
    if (!toPause.isEmpty()) {
      consumer.pause(toPause);
    }
    if (!toResume.isEmpty()) {
      consumer.resume(toResume);
    }
    consumer.callAgainWithin(
        busy || backpressure.holding()
            ? BUSY_POLL_MS
            : Math.max(1, Math.min(boundary.dueInMs(), IDLE_POLL_MS)));
    load =
        new PipelineLoad(
            backpressure.because(),
            backpressure.heldMs(),
            services.staging().memory().usedBytes(),
            services.staging().openFiles().get(),
            filesToRegister.get(),
            services.deadLetters().map(DeadLetters::pending).orElse(0),
            sessions.size(),
            paused.size());
  }

  /** Decides whether all topic-partitions wait, because a limit is reached. */
  private void hold() {
    long gathered = 0;
    for (TopicPartitionSession session : sessions.values()) {
      gathered += session.unsubmittedBytes();
    }
    MemoryBudget memory = services.staging().memory();
    // What is gathered would be in the way of the room that a held task waits for.
    if (gathered >= memory.limitBytes() / 4 || backpressure.holding()) {
      sessions.values().forEach(TopicPartitionSession::submitChunk);
      gathered = 0;
    }
    memory.gathered(gathered);
    backpressure.look(filesToRegister.get(), flushUnderWay && (boundary.full() || scattered()));
  }

  private void await(List<TopicPartitionSession> closing, long deadlineNanos) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            closing.stream()
                .map(TopicPartitionSession::underWay)
                .toArray(CompletableFuture[]::new));
    try {
      boolean done;
      do {
        // This thread alone can send them, and a batch may wait for that.
        services.deadLetters().ifPresent(DeadLetters::advance);
        done = awaitSome(all, deadlineNanos);
      } while (!done && System.nanoTime() < deadlineNanos);
      if (!done) {
        LOG.info(
            "closing did not wait longer than {} ms for batches under way",
            settings.closeTimeoutMs());
      }
    } catch (ExecutionException e) {
      LOG.info("closing: a batch under way was given up: {}", String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean awaitSome(CompletableFuture<Void> all, long deadlineNanos)
      throws InterruptedException, ExecutionException {
    long remaining = Math.max(0, deadlineNanos - System.nanoTime());
    try {
      all.get(
          Math.min(TimeUnit.MILLISECONDS.toNanos(BUSY_POLL_MS), remaining), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
