package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.HealthState;

/**
 * The load of a task at the end of its last put(), and the reasons why the task is paused.
 *
 * @param health whether the task waits for a service
 * @param pausedBecause the limits that are reached, with their values, and the services for which
 *     the task waits; empty if the task is not paused
 * @param heldMs the total time in which the task was paused by a limit or waited for a service,
 *     including the present pause
 * @param heldForMs the length of the present pause or wait; 0 if the task is not paused
 * @param openFiles files that are written to the store before their flush, because they are large
 * @param filesToRegister files of published batches that wait for the catalog
 * @param deadLetters dead letters that wait for Kafka
 */
public record PipelineLoad(
    HealthState health,
    String pausedBecause,
    long heldMs,
    long heldForMs,
    long memoryBytes,
    int openFiles,
    int filesToRegister,
    int deadLetters,
    int topicPartitions,
    int pausedTopicPartitions) {
  static final PipelineLoad NONE =
      new PipelineLoad(HealthState.WORKING, "", 0, 0, 0, 0, 0, 0, 0, 0);
}
