package io.tidemark.store.table;

import java.util.UUID;

/**
 * The log directory that owns a table, called "log" in this class. The UUID identifies it; address
 * and Kafka cluster are for people, because they may change. Example: {@code stock-quotes} at
 * {@code hdfs://namenode:8020/logs/stock-quotes}.
 */
public record LogIdentity(UUID uuid, String logId, String logs, String clusterId) {

  @Override
  public String toString() {
    return "\"%s\" (%s, Kafka cluster %s, UUID %s)".formatted(logId, logs, clusterId, uuid);
  }
}
