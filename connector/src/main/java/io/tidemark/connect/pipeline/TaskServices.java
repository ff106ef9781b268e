package io.tidemark.connect.pipeline;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.intake.Accountant;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.intake.DeadLetters;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.connect.intake.Retries;
import io.tidemark.connect.intake.Scheduling;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.LayoutComparison;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The services that a task lands records with.
 *
 * @param registrar empty if tables are not registered
 * @param accounts empty if there is no ledger
 * @param deadLetters empty if a record that cannot land stops the task
 */
public record TaskServices(
    StagingResources staging,
    TopicMetadata topics,
    Optional<Registrar> registrar,
    Optional<Accounts> accounts,
    Optional<DeadLetterQueue> deadLetters,
    TaskHealth health) {

  /** Creates what the sessions share. */
  PipelineServices ofSessions(PipelineSettings settings, Scheduling scheduling) {
    MonotonicClock monotonic = scheduling.monotonic();
    Waits waits = health.waits();
    Function<Executor, Retries> retries =
        executor ->
            new Retries(
                executor, scheduling.timer(), scheduling.jitter(), settings.backoffMs(), waits);
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
        deadLetters.map(
            queue -> new DeadLetters(queue, staging.memory(), settings, monotonic, waits)),
        steps,
        retries.apply(scheduling.registry()),
        retries.apply(scheduling.catalog()),
        monotonic,
        scheduling.wall(),
        scheduling.jitter(),
        waits);
  }
}
