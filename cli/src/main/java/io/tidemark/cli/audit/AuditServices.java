package io.tidemark.cli.audit;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.UnseenPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The services of an audit other than the store. Each connects at its first request. */
public interface AuditServices {

  /** The services of the connector's configuration. */
  AuditServices DEPLOYED =
      new AuditServices() {
        @Override
        public TopicMetadata topics(ConnectorConfig config) {
          Map<String, Object> properties =
              new HashMap<>(config.givenWithPrefix(ConnectorConfig.KAFKA_PREFIX));
          properties.put("client.id", "tidemark-audit");
          return new KafkaTopicMetadata(
              properties, config.consumerGroup(), config.completeness().readsCommitted());
        }

        @Override
        public Catalog catalog(ConnectorConfig config) {
          HiveCatalog hive =
              new HiveCatalog(
                  MetastoreSettings.of(
                      config.getString(ConnectorConfig.HIVE_METASTORE_URIS),
                      System.getProperty("user.name")));
          return new Catalog() {
            @Override
            public List<UnseenPartition> unseen(
                TableDefinition table, Collection<HivePartition> partitions)
                throws CatalogUnavailableException, CatalogConflictException {
              return hive.unseen(table, partitions);
            }

            @Override
            public void close() {
              hive.close();
            }
          };
        }
      };

  /** Returns Kafka's topics. */
  TopicMetadata topics(ConnectorConfig config);

  /** Returns the Hive Metastore; called only if the configuration has one. */
  Catalog catalog(ConnectorConfig config);

  /** The read-only part of a catalog that an audit needs. */
  interface Catalog extends AutoCloseable {

    /**
     * Returns the Hive partitions whose files queries do not see.
     *
     * @throws CatalogUnavailableException if the catalog is unavailable: try again
     * @throws CatalogConflictException if the table does not exist, or is not the connector's
     */
    List<UnseenPartition> unseen(TableDefinition table, Collection<HivePartition> partitions)
        throws CatalogUnavailableException, CatalogConflictException;

    @Override
    void close();
  }
}
