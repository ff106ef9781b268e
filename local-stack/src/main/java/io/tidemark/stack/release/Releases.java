package io.tidemark.stack.release;

/**
 * The releases of the servers of a stack. HiveServer2 and schema-repo have one each.
 *
 * @param workers of Connect
 */
public record Releases(
    KafkaRelease workers,
    KafkaRelease brokers,
    HadoopRelease hdfs,
    MetastoreRelease metastore,
    RegistryRelease registry) {

  /** Those that are started unless others are asked for: the Java of this JVM runs them all. */
  public static final Releases USUAL =
      new Releases(
          KafkaRelease.KAFKA_4_3,
          KafkaRelease.KAFKA_4_3,
          HadoopRelease.HADOOP_3_4,
          MetastoreRelease.HIVE_4_0,
          RegistryRelease.APICURIO_2);

  /** These with another registry. */
  public Releases with(RegistryRelease other) {
    return new Releases(workers, brokers, hdfs, metastore, other);
  }
}
