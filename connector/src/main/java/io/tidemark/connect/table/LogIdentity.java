package io.tidemark.connect.table;

/**
 * Which commit log feeds a table.
 *
 * @param logId the log's name, by default the connector's. Example: {@code stock-quotes}
 * @param logs where the log lies. Example: {@code hdfs://namenode:8020/logs/stock-quotes}
 * @param clusterId the id of the Kafka cluster
 */
public record LogIdentity(String logId, String logs, String clusterId) {}
