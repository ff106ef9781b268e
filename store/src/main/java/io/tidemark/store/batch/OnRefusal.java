package io.tidemark.store.batch;

/** The effect of a refusal by the tables of one topic. */
public enum OnRefusal {
  /** The topic is REFUSED: it is not read until the refusal ends. Other topics are not affected. */
  HOLD_TOPIC,
  /** The task fails. */
  STOP_TASK
}
