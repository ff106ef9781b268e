package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.DeadLetters;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.staging.MemoryBudget;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses a task when a limit is reached, until usage is below the limit again. Memory and dead
 * letters have a lower threshold, below which the task resumes. Without it, the task would pause
 * and resume with every record. Called by the task's thread only.
 */
final class Backpressure {
  private static final Logger LOG = LoggerFactory.getLogger(Backpressure.class);

  // Every busy task sometimes waits briefly for its flush. Such a wait is not logged.
  private static final long LOGGED_AFTER_MS = 1_000;

  /** Pauses that are logged as a warning. They are shorter if the services are fast enough. */
  private static final long WARNED_AFTER_MS = 60_000;

  private static final long WARNED_AGAIN_MS = 300_000;

  /** The limits, each with its cure. */
  private enum Limit {
    MEMORY("Find out why the store is slow, or raise memory.bytes."),
    CATALOG("Find out why the Metastore is slow, or raise hive.registration.backlog."),
    DEAD_LETTERS(
        "Find out why the dead letter topic is slow, and why so many records cannot land."),
    FLUSH("Find out why the store is slow, or raise storage.threads and tasks.max.");

    private final String cure;

    Limit(String cure) {
      this.cure = cure;
    }
  }

  private final PipelineServices services;
  private final MemoryBudget memory;
  private Set<Limit> reached = EnumSet.noneOf(Limit.class);
  private int filesToRegister;
  private long sinceMs;
  private boolean logged;
  private long warnAtMs;

  Backpressure(PipelineServices services) {
    this.services = services;
    this.memory = services.staging().memory();
  }

  /** Checks the limits; {@code flushWaits} is true if a flush is due while another is running. */
  void update(int filesToRegister, boolean flushWaits) {
    this.filesToRegister = filesToRegister;
    boolean before = pausing();
    Set<Limit> now = EnumSet.noneOf(Limit.class);
    if (memory.exhausted() || (before && !memory.relieved())) {
      now.add(Limit.MEMORY);
    }
    if (filesToRegister >= services.settings().registrationBacklog()) {
      now.add(Limit.CATALOG);
    }
    if (services
        .deadLetters()
        .filter(letters -> letters.full() || (before && !letters.relieved()))
        .isPresent()) {
      now.add(Limit.DEAD_LETTERS);
    }
    if (flushWaits) {
      now.add(Limit.FLUSH);
    }
    reached = now;
    if (pausing() && !before) {
      sinceMs = services.monotonic().millis();
      warnAtMs = WARNED_AFTER_MS;
    }
    log(before);
  }

  boolean pausing() {
    return !reached.isEmpty();
  }

  String because() {
    return reached.stream().map(this::text).collect(Collectors.joining("; "));
  }

  private void log(boolean before) {
    long lastedMs = services.monotonic().millis() - sinceMs;
    if (pausing() && !logged && lastedMs >= LOGGED_AFTER_MS) {
      logged = true;
      LOG.info("paused for {} ms: {}", lastedMs, because());
    }
    if (pausing() && lastedMs >= warnAtMs) {
      warnAtMs = lastedMs + WARNED_AGAIN_MS;
      LOG.warn(
          "paused for {} s: {}. {}",
          lastedMs / 1_000,
          because(),
          reached.stream().map(limit -> limit.cure).collect(Collectors.joining(" ")));
    }
    if (before && !pausing() && logged) {
      logged = false;
      LOG.info("resumed after a pause of {} ms", lastedMs);
    }
  }

  private String text(Limit limit) {
    return switch (limit) {
      case MEMORY ->
          "%d bytes of memory.bytes=%d are in use"
              .formatted(memory.usedBytes(), memory.limitBytes());
      case CATALOG ->
          "%d files wait for the Metastore, with hive.registration.backlog=%d"
              .formatted(filesToRegister, services.settings().registrationBacklog());
      case DEAD_LETTERS ->
          "%d dead letters wait for Kafka, with dead.letters.in.flight=%d"
              .formatted(
                  services.deadLetters().map(DeadLetters::pending).orElse(0),
                  services.settings().deadLettersInFlight());
      case FLUSH ->
          "the next flush is full (batch.records, batch.bytes, batch.offset.ranges, batch.hive.partitions), and the previous one is still being written to the store";
    };
  }
}
