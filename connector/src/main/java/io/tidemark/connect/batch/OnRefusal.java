package io.tidemark.connect.batch;

/** What a refusal does that concerns the tables of one topic. */
public enum OnRefusal {
  /** The topic's topic-partitions are not read until it is lifted; all others are. */
  HOLD_TOPIC,
  /** It stops the task. */
  STOP_TASK
}
