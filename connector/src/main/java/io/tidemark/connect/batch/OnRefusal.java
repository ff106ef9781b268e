package io.tidemark.connect.batch;

/** The effect of a refusal by the tables of one topic. */
public enum OnRefusal {
  /** The topic is paused until the refusal ends; other topics are not affected. */
  HOLD_TOPIC,
  /** The task fails. */
  STOP_TASK
}
