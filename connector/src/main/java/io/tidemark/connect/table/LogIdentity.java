package io.tidemark.connect.table;

import io.tidemark.connect.storage.StoragePath;
import java.util.Optional;
import java.util.UUID;

/**
 * Which commit log feeds a table.
 *
 * @param uuid by which it is told from others; none for logs of builds before version 3 of the
 *     entries
 * @param logId the log's name, by default the connector's. Example: {@code stock-quotes}
 * @param store where the store is, for people: it may get another address. Example: {@code
 *     hdfs://namenode:8020}
 * @param directory the log's directory. Example: {@code /logs/stock-quotes}
 * @param clusterId the id of the Kafka cluster, for people
 */
public record LogIdentity(
    Optional<UUID> uuid, String logId, String store, StoragePath directory, String clusterId) {

  String logs() {
    return store + directory;
  }
}
