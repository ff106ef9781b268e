package io.tidemark.store.table;

import java.util.UUID;

/**
 * The log directory that owns a table, called "log" in this class. The UUID identifies it; address
 * and Kafka cluster are for people, because they may change. Example: {@code stock-quotes} at
 * {@code hdfs://namenode:8020/logs/stock-quotes}.
 */
public record LogIdentity(UUID uuid, String logId, String logs, String clusterId) {

  /** Returns whether both are the same log, whatever name and address it has now. */
  boolean is(LogIdentity other) {
    return uuid.equals(other.uuid);
  }

  @Override
  public String toString() {
    return "\"%s\" (%s, Kafka cluster %s, UUID %s)".formatted(logId, logs, clusterId, uuid);
  }
}
