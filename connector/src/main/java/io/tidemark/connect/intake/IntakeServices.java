package io.tidemark.connect.intake;

import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import java.util.Optional;

/** What the intake of records uses; {@code deadLetters} is empty without a dead letter topic. */
public record IntakeServices(
    PipelineSettings settings,
    StagingResources staging,
    Optional<DeadLetters> deadLetters,
    MonotonicClock monotonic) {}
