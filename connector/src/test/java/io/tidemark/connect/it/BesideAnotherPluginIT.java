package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedFile;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.SteadyLoad;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/**
 * Another connector with other versions of Tidemark's libraries, in the same workers at the same
 * time.
 */
@OnRealStack
final class BesideAnotherPluginIT {

  private static final String NEIGHBOUR = "io.tidemark.neighbour.NeighbourSinkConnector";
  private static final String OURS = "beside";
  private static final String THEIRS = "neighbour";
  private static final List<String> JARS =
      List.of("avro-1.8.2.jar", "hadoop-client-api-3.3.6.jar", "libthrift-0.9.3.jar");
  private static final String DIRECTORY = "/topics/neighbour-files";

  @Test
  void bothWorkEachWithItsOwnVersions(RealStack stack) {
    assertThat(stack.connect().connectorPlugins())
        .as("plugins; the neighbour is built by mvn package -pl local-stack/neighbour -DskipTests")
        .contains(NEIGHBOUR);
    SourceTopic topic = stack.topic(OURS, 4);
    SteadyLoad load = new SteadyLoad(topic);
    load.begin();
    Deployment ours = stack.deploy(ConnectorSettings.of(OURS, topic).with("tasks.max", 2));
    Deployment theirs =
        stack.deploy(
            ConnectorSettings.of(THEIRS, topic)
                .with("connector.class", NEIGHBOUR)
                .with("tasks.max", 2)
                .with("consumer.override.auto.offset.reset", "earliest")
                .with("directory", DIRECTORY));
    Polling.until(
        "a worker runs tasks of both",
        RealStack.DEADLINE,
        () -> {
          Set<String> shared = workers(ours);
          Set<String> others = workers(theirs);
          return shared.stream().anyMatch(others::contains)
              ? Optional.empty()
              : Optional.of("ours run on %s, theirs on %s".formatted(shared, others));
        });
    load.end();

    Map<Integer, Set<Long>> produced = new HashMap<>();
    for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
      produced.put(
          topicPartition,
          LongStream.range(0, topic.end(topicPartition)).boxed().collect(Collectors.toSet()));
    }
    Polling.until(
        "the neighbour has written every offset",
        RealStack.DEADLINE,
        () -> {
          theirs.requireNoFailure();
          Map<Integer, Set<Long>> written = written(stack);
          return written.equals(produced)
              ? Optional.empty()
              : Optional.of("it has written " + written);
        });
    ours.landsExactly();
  }

  private static Set<String> workers(Deployment connector) {
    return connector.awaitRunning().tasks().stream()
        .map(ConnectorStatus.Task::worker)
        .collect(Collectors.toSet());
  }

  /**
   * The offsets in the neighbour's files. The content of each file names the jars that wrote it.
   */
  private static Map<Integer, Set<Long>> written(RealStack stack) {
    WebHdfs hdfs = stack.services().hdfs().files();
    Map<Integer, Set<Long>> written = new HashMap<>();
    try {
      for (WebHdfs.Entry file : hdfs.walk(DIRECTORY)) {
        if (file.lengthBytes() == 0) {
          // The file is still being written.
          continue;
        }
        for (GenericRecord row : LandedFile.read(file.path(), hdfs.read(file.path())).rows()) {
          assertThat(row.toString()).contains(JARS);
          written
              .computeIfAbsent((Integer) row.get("partition"), none -> new HashSet<>())
              .add((Long) row.get("offset"));
        }
      }
      return written;
    } catch (IOException e) {
      throw new UncheckedIOException(DIRECTORY, e);
    }
  }
}
