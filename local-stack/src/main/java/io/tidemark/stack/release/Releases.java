package io.tidemark.stack.release;

/**
 * The releases of the servers of a stack. HiveServer2 and schema-repo have one each.
 *
 * @param workers the release of the Connect workers
 */
public record Releases(
    KafkaRelease workers,
    KafkaRelease brokers,
    HadoopRelease hdfs,
    MetastoreRelease metastore,
    RegistryRelease registry) {

  /** The default releases, which all run on this JVM's Java. */
  public static final Releases USUAL =
      new Releases(
          KafkaRelease.KAFKA_4_3,
          KafkaRelease.KAFKA_4_3,
          HadoopRelease.HADOOP_3_4,
          MetastoreRelease.HIVE_4_0,
          RegistryRelease.APICURIO_2);

  /** Returns these releases with another registry. */
  public Releases with(RegistryRelease other) {
    return new Releases(workers, brokers, hdfs, metastore, other);
  }
}
