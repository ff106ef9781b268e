package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The reason why offsets cannot be reported as complete until an operator acknowledges them. */
public enum HoldKind {
  /** Kafka had deleted the records before the task read them. */
  @JsonProperty("lost")
  LOST,
  /** The offsets are of a topic that was deleted before they landed. */
  @JsonProperty("deleted")
  DELETED,
  /** The records landed in a Hive partition that readers of the table do not see. */
  @JsonProperty("unseen")
  UNSEEN,
  /** The log does not continue at the ledger's position. */
  @JsonProperty("gap")
  GAP,
  /** The records are in the dead letter topic, and {@code completeness.hold.on} has this kind. */
  @JsonProperty("dead-lettered")
  DEAD_LETTERED
}
