package io.tidemark.stack;

import io.tidemark.stack.release.KafkaRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the Connect workers of a stack are started.
 *
 * @param release of Kafka
 * @param java that runs them
 * @param workers how many
 * @param heapMegabytes the largest heap of each
 * @param pluginPath the folder that holds the plugins, each in a folder or archive of its own
 * @param properties worker properties that go before those of the stack
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
