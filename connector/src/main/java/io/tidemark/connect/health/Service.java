package io.tidemark.connect.health;

/** A service that a task depends on. */
public enum Service {
  /** Topics, offsets, the consumer group. */
  KAFKA("Kafka", "kafka", "kafka.bootstrap.servers"),
  /** Where files and logs lie: HDFS. */
  STORE("the store", "store", "store.url"),
  /** Schemas by their ids. */
  SCHEMA_REGISTRY("the schema registry", "schema-registry", "schema.registry.url"),
  /** Hive's tables. */
  METASTORE("the Hive Metastore", "metastore", "hive.metastore.uris"),
  /** A topic's tables, which may refuse what no service does. Nobody calls them. */
  TABLE("the table", "table", "name");

  private final String inWords;
  private final String id;
  private final String addressKey;

  Service(String inWords, String id, String addressKey) {
    this.inWords = inWords;
    this.id = id;
    this.addressKey = addressKey;
  }

  /** As a sentence names it. Example: {@code the store}. */
  public String inWords() {
    return inWords;
  }

  /** As the name of an MBean has it. Example: {@code store}. */
  public String id() {
    return id;
  }

  /** The setting that has its address; of a table, what its address is. */
  public String addressKey() {
    return addressKey;
  }
}
