package io.tidemark.store.table;

import io.tidemark.store.StoragePath;
import java.util.UUID;

/**
 * The identity of the log directory that owns a table, called "log" in this class.
 *
 * @param uuid the log's UUID, which identifies it
 * @param logId the log's name, by default the connector's. Example: {@code stock-quotes}
 * @param store the store's address, for people only, because it may change. Example: {@code
 *     hdfs://namenode:8020}
 * @param directory the path of the log directory. Example: {@code /logs/stock-quotes}
 * @param clusterId the id of the Kafka cluster, for people only
 */
public record LogIdentity(
    UUID uuid, String logId, String store, StoragePath directory, String clusterId) {

  String logs() {
    return store + directory;
  }
}
