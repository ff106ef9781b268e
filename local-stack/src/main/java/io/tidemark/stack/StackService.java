package io.tidemark.stack;

import java.util.List;

/** A service of a stack: one process or a few that belong together. */
abstract sealed class StackService
    permits KafkaCluster,
        SchemaRegistryServer,
        SchemaRepoServer,
        Hdfs,
        HiveMetastore,
        HiveServer,
        ConnectCluster {

  /** Makes what has to be there before the first start. Needs no other service. */
  void prepare() {}

  /** Starts the service and returns when it answers. */
  abstract void start();

  /** The processes in the order in which they are started. */
  abstract List<ServerProcess> processes();
}
