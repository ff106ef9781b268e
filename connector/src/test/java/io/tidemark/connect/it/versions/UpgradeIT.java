package io.tidemark.connect.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.PluginArchive;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The upgrade of docs/OPERATIONS.md, from the plugin archive of an earlier build to that of this
 * one. {@code .ci/upgrade} makes the earlier archive, and runs this test.
 */
@Tag("upgrade")
final class UpgradeIT {
  private static final Path EARLIER = Path.of(System.getProperty("tidemark.earlier.archive", ""));
  private static final String CONNECTOR = "io.tidemark.connect.TidemarkSinkConnector";
  private static final int RECORDS = 500;

  @Test
  void bothBuildsInOnePluginPathAreToldApartAndTheUpgradeLandsEachRecordOnce() throws Exception {
    Path plugins = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "upgrade-");
    new PluginArchive(EARLIER).unpackInto(plugins);
    Path old = only(plugins);
    String earlier = versionOf(EARLIER);
    String later = versionOf(RealStack.pluginArchive());
    assertThat(earlier).isNotEqualTo(later);

    try (RealStack stack = RealStack.start(plugins)) {
      SourceTopic topic = stack.topic("upgraded", 4);
      topic.send(Readings.V1, 0, RECORDS);
      Deployment connector =
          stack.deploy(ConnectorSettings.of("upgraded", topic).with("tasks.max", 4));
      connector.landsExactly();
      List<ConnectWorker> workers = stack.services().connect().workers();
      assertThat(versionsOfTasks(workers)).containsExactly(earlier);

      new PluginArchive(RealStack.pluginArchive()).unpackInto(plugins);
      restart(workers.get(0));
      assertThat(workers.get(0).client().versions(CONNECTOR))
          .containsExactlyInAnyOrder(earlier, later);
      connector.awaitRunning();
      topic.send(Readings.V1, RECORDS, 2 * RECORDS);
      connector.landsExactly();
      await(workers, Set.of(earlier, later));

      delete(old);
      restart(workers.get(1));
      restart(workers.get(0));
      connector.awaitRunning();
      await(workers, Set.of(later));
      assertThat(stack.connect().versions(CONNECTOR)).containsExactly(later);
      topic.send(Readings.V1, 2 * RECORDS, 3 * RECORDS);
      connector.landsExactly();
    }
  }

  private static void await(List<ConnectWorker> workers, Set<String> versions) {
    Polling.until(
        "the tasks run in " + versions,
        RealStack.DEADLINE,
        () -> {
          Set<String> now = versionsOfTasks(workers);
          return now.equals(versions) ? Optional.empty() : Optional.of("they run in " + now);
        });
  }

  private static Set<String> versionsOfTasks(List<ConnectWorker> workers) {
    Set<String> versions = new HashSet<>();
    for (ConnectWorker worker : workers) {
      try (ProcessBeans beans = worker.process().beans()) {
        versions.addAll(beans.texts("tidemark.connect:type=task-metrics,*", "Version"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return versions;
  }

  private static void restart(ConnectWorker worker) {
    worker.stop();
    worker.start();
  }

  /** Example: {@code 0.1.0-SNAPSHOT-20261128.044740-8190fd92}. */
  private static String versionOf(Path archive) {
    return String.valueOf(archive.getFileName())
        .replaceFirst("^tidemark-kafka-connect-", "")
        .replaceFirst("\\.zip$", "");
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> all = entries.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(file -> all.add(0, file));
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }
}
