package io.tidemark.connect.ledger.state;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why offsets can never be shown to be complete, until an operator acknowledges it. */
public enum BlockKind {
  /** Kafka no longer retained them when the task came. */
  @JsonProperty("lost")
  LOST,
  /** They were of a topic that was deleted before they landed. */
  @JsonProperty("deleted")
  DELETED,
  /** They landed in a Hive partition that readers of the table do not see. */
  @JsonProperty("unseen")
  UNSEEN,
  /** The log does not go on where the ledger had come to. */
  @JsonProperty("gap")
  GAP,
  /** They are in the dead letter topic, and the configuration names this kind. */
  @JsonProperty("dead-lettered")
  DEAD_LETTERED
}
