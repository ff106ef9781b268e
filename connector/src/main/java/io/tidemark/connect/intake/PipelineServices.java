package io.tidemark.connect.intake;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.LayoutComparison;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The services and settings that all sessions of a task share. The optional ones are absent without
 * a catalog, a ledger or a dead letter topic.
 *
 * @param retries retries of calls of the store and of Kafka
 */
public record PipelineServices(
    PipelineSettings settings,
    StagingResources staging,
    TopicMetadata topics,
    LayoutComparison layouts,
    Publisher publisher,
    Optional<Registrar> registrar,
    Optional<Accountant> accountant,
    Optional<DeadLetters> deadLetters,
    TaskHealth health,
    Retries retries,
    Retries registryRetries,
    Retries catalogRetries,
    MonotonicClock monotonic,
    Clock wall,
    RandomGenerator jitter) {

  /** Sends no request to a service. */
  public static PipelineServices of(
      PipelineSettings settings,
      Scheduling scheduling,
      StagingResources staging,
      TopicMetadata topics,
      Optional<Registrar> registrar,
      Optional<Accounts> accounts,
      Optional<DeadLetterQueue> deadLetterQueue,
      TaskHealth health) {
    MonotonicClock monotonic = scheduling.monotonic();
    Waits waits = health.waits();
    Function<Executor, Retries> retries =
        executor ->
            new Retries(
                executor,
                scheduling.timer(),
                scheduling.jitter(),
                settings.backoffMs(),
                waits,
                "",
                () -> true);
    Retries steps = retries.apply(scheduling.steps());
    return new PipelineServices(
        settings,
        staging,
        topics,
        new LayoutComparison(staging.storage()),
        new Publisher(staging.storage()),
        registrar,
        accounts.map(
            inbox -> new Accountant(inbox, settings, steps, scheduling.timer(), monotonic)),
        deadLetterQueue.map(
            queue -> new DeadLetters(queue, staging.memory(), settings, monotonic, waits)),
        health,
        steps,
        retries.apply(scheduling.registry()),
        retries.apply(scheduling.catalog()),
        monotonic,
        scheduling.wall(),
        scheduling.jitter());
  }

  /** Returns what folds the log of a topic-partition during one claim. */
  public LogFolding folding(CommitLog log, TopicPartition topicPartition) {
    return new LogFolding(
        log,
        settings.retainedEntries(),
        wall,
        () ->
            accountant.isPresent()
                ? accountant.get().released(topicPartition)
                : LogFolding.Released.ALL);
  }

  public Waits waits() {
    return health.waits();
  }
}
