package io.tidemark.cli.adopt;

import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.ReadOnlyCatalog;

/** The services of an adoption other than the store. Each connects at its first request. */
public interface AdoptServices {

  /** The services of the new connector's configuration. */
  AdoptServices DEPLOYED =
      new AdoptServices() {
        @Override
        public TopicMetadata topics(ConnectorServices connector) {
          return connector.openTopics("tidemark-adopt");
        }

        @Override
        public ReadOnlyCatalog catalog(ConnectorServices connector) {
          return connector.openCatalog();
        }

        @Override
        public OldGroup group(ConnectorServices connector) {
          return OldGroup.of(connector.kafkaClient("tidemark-adopt"));
        }
      };

  /** Returns Kafka's topics. */
  TopicMetadata topics(ConnectorServices connector);

  /** Returns the Hive Metastore; called only if the configuration has one. */
  ReadOnlyCatalog catalog(ConnectorServices connector);

  /** Returns Kafka's view of the old sink. */
  OldGroup group(ConnectorServices connector);
}
