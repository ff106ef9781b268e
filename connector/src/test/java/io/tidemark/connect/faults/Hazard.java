package io.tidemark.connect.faults;

import java.util.EnumSet;

/** A hazard that a run may reach. The schedules together must reach all of them. */
enum Hazard {
  CHECKPOINT,
  CLOCK_SET_BACK,
  CLOCK_SET_FORWARD,
  DEAD_LETTER,
  GAP,
  /** Offsets after the last record of a topic-partition were passed over. */
  TAIL,
  /** Records were compacted away. */
  COMPACTED,
  /** A batch ended because it would have touched too many Hive partitions. */
  FULL_BATCH,
  /** A batch had files in two tables. */
  ROUTED,
  /** A file ended before its batch did. */
  ROLLED_FILE,
  /** Hive partitions were selected by the time at which records were read. */
  WALLCLOCK,
  /** Records waited for the end of a transaction. */
  OPEN_TRANSACTION,
  /** A topic-partition had no leader for a while. */
  NO_LEADER,
  /** An announced batch was complete. */
  ANNOUNCED,
  /** An announced batch was incomplete, and the ledger said so. */
  MISCOUNTED,
  /** A consumer skipped to the end offset, over records that Kafka still had. */
  JUMPED,
  /** A batch without an offset records where an empty log begins. */
  PINNED,
  LATER_GENERATION,
  /** A topic was recreated while a task had records of it that were not committed. */
  DELIVERED_THEN_RECREATED,
  /** The Hive partitions of a table were registered after a catalog was switched on. */
  OPENED,
  RETAINED_AWAY,
  /** A batch was discarded because the leader changed. */
  LEADER_CHANGED,
  /** A task stopped because records that had landed were truncated. */
  TRUNCATED,
  /** A broker answered with the id of a deleted topic, after the log had a later id. */
  STALE_METADATA,
  /** A task had a topic-partition that no snapshot had. */
  HIDDEN_TOPIC,
  /** The metadata of a broker lacked a topic, or one of its topic-partitions. */
  OUTDATED_METADATA,
  /** A task stopped because its log was restored from an older copy. */
  OLDER_LOG,
  /** An operator continued an older copy of a log. */
  CONTINUED_LOG,
  /** A task stopped because the logs were removed. */
  REMOVED_LOG,
  /** An operator began new logs in place of removed ones. */
  BEGUN_ANEW,
  /** A task stopped because its table was removed, and went on when it was restored. */
  REMOVED_TABLE,
  /** A task stopped because its configuration named another cluster. */
  OTHER_CLUSTER,
  /** An operator agreed to land from another cluster, to which the connector was moved. */
  MOVED_CLUSTER,
  /** The reckoner asked another cluster than that from which records had landed. */
  OTHER_CLUSTER_ASKED,
  /** A topic vanished for so long that it counted as deleted. */
  VANISHED_TOPIC,
  /** A table was not complete because a topic-partition was idle. */
  IDLE,
  /** A topic was paused because of a refused record, and an operator acted. */
  REFUSED_TOPIC,
  /** A task stopped because of a refused record, and an operator acted. */
  REFUSED_TASK,
  /** All other topics landed while a topic was refused. */
  HELD_ALONE,
  /** An operator skipped a refused record. */
  SKIPPED,
  /** A record without a table became a dead letter. */
  UNROUTED,
  /** Two topics have landed in one table. */
  SHARED_TABLE,
  /** A Hive partition of the times at which records were read was complete. */
  WALLCLOCK_COMPLETE,
  /** Something was incomplete until an operator acknowledged a loss or a deletion. */
  HOLD,
  /** A Hive partition was complete, and then received late records. */
  REVISION,
  /** The totals of Hive partitions are partial: the ledger has not seen all entries. */
  PARTIAL,
  /** A topic was deleted while a file of a committed entry was not published. */
  DELETED_UNPUBLISHED,
  /** A topic was created again with another number of topic-partitions. */
  RESIZED_TOPIC,
  /** A Hive partition was complete while its table's topics were taken out. */
  TAKEN_OUT,
  /** A table waited for a topic that the configuration no longer had. */
  LEFT_OUT,
  /** An operator released a topic from its tables. */
  RELEASED,
  /** A topic was retired, covered, and deleted without a hold. */
  RETIRED,
  /** A ledger was removed, or replaced by an older copy. */
  OLDER_LEDGER,
  /** The records of a topic land in a table of another name. */
  RENAMED_TABLE,
  /** An account arrived a second time, or late. */
  ACCOUNTED_AGAIN,
  /** A reckoner read entries from a log that no account had reported. */
  GAP_READ,
  /** A reckoner slept, and woke when another one had appended to the ledger. */
  ZOMBIE_RECKONER,
  /** The store's client repeated a change whose answer was lost, and got another answer. */
  REPEATED_CHANGE,
  /** A call of the catalog took effect, lost its answer, and was repeated. */
  REPEATED_REGISTRATION,
  /** A process read from a name node that was no longer the active one. */
  FORMER_NAME_NODE,
  /** All nodes of the store lost their power while files were open. */
  POWER_LOSS,
  /** A process slept while a service was unavailable and a file could not be read. */
  PAUSE_CUT_AND_ROT,
  /** A process slept with records that retention deleted before it woke. */
  ZOMBIE_AFTER_RETENTION,
  /** A broker answered once that the end offset of a topic-partition with records is 0. */
  INVENTED_END,
  /** A leader that was deposed and did not know it answered with old offsets. */
  DEPOSED_LEADER,
  /** One of five clients got another answer than the other four. */
  SINGLE_DISSENT,
  /** A task could not look for records without the right to READ, and an operator gave it. */
  NOT_READABLE,
  /** A broker ended a transaction that its producer had not ended. */
  INVENTED_MARKER;

  /** Hazards that less than one of 200 schedules reaches. */
  static final EnumSet<Hazard> RARE = EnumSet.of(TAKEN_OUT, LEFT_OUT, RETIRED, RELEASED, PARTIAL);
}
