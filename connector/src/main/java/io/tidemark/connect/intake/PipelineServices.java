package io.tidemark.connect.intake;

import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
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
 * @param wall the clock for times that people read
 */
public record PipelineServices(
    IntakeServices intake,
    CommitServices commit,
    LogOpener opener,
    Optional<Registrar> registrar,
    Optional<Accountant> accountant,
    Retries registryRetries,
    Retries catalogRetries,
    Clock wall,
    RandomGenerator jitter,
    Waits waits) {

  public PipelineSettings settings() {
    return intake.settings();
  }

  public StagingResources staging() {
    return intake.staging();
  }

  public Optional<DeadLetters> deadLetters() {
    return intake.deadLetters();
  }

  public TopicMetadata topics() {
    return commit.topics();
  }

  public Retries retries() {
    return commit.retries();
  }

  public MonotonicClock monotonic() {
    return commit.monotonic();
  }

  /** What a commit uses. */
  public record CommitServices(
      Storage storage,
      TopicMetadata topics,
      LayoutComparison layouts,
      Publisher publisher,
      Retries retries,
      MonotonicClock monotonic) {}

  /** What the intake of records uses; {@code deadLetters} is empty without a dead letter topic. */
  public record IntakeServices(
      PipelineSettings settings,
      StagingResources staging,
      Optional<DeadLetters> deadLetters,
      MonotonicClock monotonic) {}
}
