package io.tidemark.stack;

import io.tidemark.stack.release.KafkaRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a stack's Connect workers.
 *
 * @param release the release of Kafka
 * @param java the Java that runs them
 * @param workers the number of workers
 * @param heapMegabytes the maximum heap of each worker in MiB
 * @param pluginPath the folder of the plugins, each in a separate folder or archive
 * @param properties worker properties that override those of the stack
 * @param jvmOptions options for the JVM of each worker
 */
record ConnectSettings(
    KafkaRelease release,
    JavaInstallation java,
    int workers,
    int heapMegabytes,
    Optional<Path> pluginPath,
    Map<String, String> properties,
    List<String> jvmOptions) {

  ConnectSettings {
    if (workers < 1) {
      throw new IllegalArgumentException(workers + " Connect workers: at least 1 is needed");
    }
    properties = Map.copyOf(properties);
    jvmOptions = List.copyOf(jvmOptions);
  }
}
