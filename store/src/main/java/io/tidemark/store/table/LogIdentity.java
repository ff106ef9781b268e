package io.tidemark.store.table;

import java.util.UUID;

/**
 * The identity of the log directory that owns a table, called "log" in this class.
 *
 * @param uuid the log's UUID, which identifies it
 * @param logId the log's name, by default the connector's. Example: {@code stock-quotes}
 * @param logs the address of the log directory, for people only, because it may change. Example:
 *     {@code hdfs://namenode:8020/logs/stock-quotes}
 * @param clusterId the id of the Kafka cluster, for people only
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
