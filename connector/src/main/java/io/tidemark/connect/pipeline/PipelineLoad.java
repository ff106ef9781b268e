package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.HealthState;

/**
 * The load of a task, and why it is paused, as of the end of its last put().
 *
 * @param health whether the task waits for a service
 * @param pausedBecause the limits that are reached, with their values, and the services that the
 *     task waits for; empty if there are none
 * @param heldMs how long the task was paused by a limit or waited for a service, in total, with the
 *     present pause
 * @param heldForMs the length of the present pause or wait; 0 if there is none
 * @param memoryBytes the memory of its records, as {@code memory.bytes} bounds it
 * @param openFiles files that are written to the store before their flush, because they are large
 * @param filesToRegister files of published batches that wait for the catalog
 * @param deadLetters dead letters that wait for Kafka
 * @param topicPartitions the topic-partitions of the task
 * @param pausedTopicPartitions those that are paused, by a limit or by an unavailable service
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
