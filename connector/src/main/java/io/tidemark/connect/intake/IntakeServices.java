package io.tidemark.connect.intake;

import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import java.util.Optional;

/**
 * The settings and services that the intake of records uses.
 *
 * @param deadLetters empty if there is no dead letter topic
 * @param monotonic the clock for intervals, pauses and deadlines
 */
public record IntakeServices(
    PipelineSettings settings,
    StagingResources staging,
    Optional<DeadLetters> deadLetters,
    MonotonicClock monotonic) {}
