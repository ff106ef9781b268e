package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.HealthState;

/**
 * How full a task is, and why it takes no records, as of the end of its last put().
 *
 * @param health whether it waits for a service
 * @param pausedBecause which limit is reached, and how far, and which services it waits for; empty
 *     when there are none
 * @param heldMs how long it was held by a limit or waited for a service, the present time included
 * @param heldForMs how long that lasts now; 0 when it is not held
 * @param memoryBytes the memory of its records, as {@code memory.bytes} bounds it
 * @param openFiles files that are open before their flush, as they have grown large
 * @param filesToRegister files of published batches that wait for the catalog
 * @param deadLetters dead letters that wait for Kafka
 * @param topicPartitions the topic-partitions of the task
 * @param pausedTopicPartitions those whose records it does not take now, for a limit or for a
 *     service that is away
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
