package io.tidemark.stack;

import java.util.List;

/** A service of a stack: one process, or a few processes together. */
abstract sealed class StackService
    permits Kdc,
        Kms,
        KafkaCluster,
        SchemaRegistryServer,
        SchemaRepoServer,
        Hdfs,
        HiveMetastore,
        HiveServer,
        ConnectCluster {

  /** Creates what the service needs before its first start. Needs no other service. */
  void prepare() {}

  /** Starts the service and returns when it answers. */
  abstract void start();

  /** Returns the processes in the order of their starts. */
  abstract List<ServerProcess> processes();
}
