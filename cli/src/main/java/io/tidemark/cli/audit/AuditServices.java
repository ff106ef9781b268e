package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.ReadOnlyCatalog;

/** The services of an audit other than the store. Each connects at its first request. */
public interface AuditServices {

  /** The services of the connector's configuration. */
  AuditServices DEPLOYED =
      new AuditServices() {
        @Override
        public TopicMetadata topics(ConnectorServices connector) {
          return connector.openTopics("tidemark-audit");
        }

        @Override
        public ReadOnlyCatalog catalog(ConnectorServices connector) {
          return connector.openCatalog();
        }
      };

  /** Returns Kafka's topics. */
  TopicMetadata topics(ConnectorServices connector);

  /** Returns the Hive Metastore; called only if the configuration has one. */
  ReadOnlyCatalog catalog(ConnectorServices connector);
}
