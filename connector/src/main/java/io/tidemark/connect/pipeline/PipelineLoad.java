package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.HealthState;

/** The load of a task at the end of its last put(), for the metrics of docs/METRICS.md. */
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
