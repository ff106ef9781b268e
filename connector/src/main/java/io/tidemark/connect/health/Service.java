package io.tidemark.connect.health;

/** A service that a task depends on. */
public enum Service {
  KAFKA("Kafka", "kafka", "kafka.bootstrap.servers"),
  STORE("the store", "store", "store.url"),
  SCHEMA_REGISTRY("the schema registry", "schema-registry", "schema.registry.url"),
  METASTORE("the Hive Metastore", "metastore", "hive.metastore.uris"),
  /** The tables of a topic, which may refuse records. There are no calls to this service. */
  TABLE("the table", "table", "name");

  private final String inWords;
  private final String id;
  private final String addressKey;

  Service(String inWords, String id, String addressKey) {
    this.inWords = inWords;
    this.id = id;
    this.addressKey = addressKey;
  }

  public String inWords() {
    return inWords;
  }

  /** The name in the name of an MBean. Example: {@code store}. */
  public String id() {
    return id;
  }

  /** The key of the setting with the service's address; for a table, the word for its address. */
  public String addressKey() {
    return addressKey;
  }
}
