package io.tidemark.connect.intake;

import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.publish.StandingLayouts;
import java.time.Clock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The services and settings that all sessions of a task share.
 *
 * @param registrar empty if tables are not registered
 * @param accountant empty if there is no ledger
 * @param deadLetters empty if there is no dead letter topic
 * @param retries the retries of calls of the store and of Kafka
 * @param monotonic the clock for intervals, pauses and deadlines
 * @param wall the clock for times that people read
 * @param waits the present waits of steps
 */
public record PipelineServices(
    PipelineSettings settings,
    StagingResources staging,
    TopicMetadata topics,
    Publisher publisher,
    LogOpener opener,
    StandingLayouts layouts,
    Optional<Registrar> registrar,
    Optional<Accountant> accountant,
    Optional<DeadLetters> deadLetters,
    Retries retries,
    Retries registryRetries,
    Retries catalogRetries,
    MonotonicClock monotonic,
    Clock wall,
    RandomGenerator jitter,
    Waits waits) {}
