package io.tidemark.connect.intake;

import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.LayoutComparison;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import java.time.Clock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The services and settings that all sessions of a task share.
 *
 * @param registrar empty if tables are not registered
 * @param accountant empty if there is no ledger
 * @param deadLetters empty without a dead letter topic
 * @param retries retries of calls of the store and of Kafka
 * @param wall the clock for times that people read
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
    Retries retries,
    Retries registryRetries,
    Retries catalogRetries,
    MonotonicClock monotonic,
    Clock wall,
    RandomGenerator jitter,
    Waits waits) {}
