package io.tidemark.connect.pipeline;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.Registrar;
import java.util.Optional;

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
    TaskHealth health) {}
