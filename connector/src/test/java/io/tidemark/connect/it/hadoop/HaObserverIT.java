package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.NameNode;
import io.tidemark.stack.Polling;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that reads from an observer, which follows the active name node. */
@OnHaStack
@Tag("long")
final class HaObserverIT {
  private static final Map<String, String> READS_FROM_OBSERVERS =
      Map.of(
          "dfs.client.failover.proxy.provider.ns1",
          "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider");

  private NameNode observer;

  @BeforeAll
  static void permitObservers(HaStack stack) {
    stack
        .hdfs()
        .restartNameNodes(
            Map.of(
                "dfs.namenode.state.context.enabled", "true",
                "dfs.ha.tail-edits.in-progress", "true",
                "dfs.ha.tail-edits.period", "10ms"));
  }

  @AfterAll
  static void restoreNameNodes(HaStack stack) {
    stack.hdfs().restartNameNodes(Map.of());
  }

  @BeforeEach
  void observe(HaStack stack) {
    observer = stack.hdfs().otherThan(stack.hdfs().active());
    stack.hdfs().makeObserver(observer);
  }

  @AfterEach
  void endObservation(HaStack stack) {
    stack.hdfs().makeStandby(observer);
  }

  private static Storage open(HaStack stack, Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(stack.hdfs().clientSettings());
    settings.putAll(more);
    return new HdfsConnection(stack.uri(), Optional.empty(), settings, HadoopUser.OF_THE_PROCESS)
        .open();
  }

  @Test
  void whatAnotherClientHasWrittenIsReadAtOnce(HaStack stack) throws IOException {
    Hdfs hdfs = stack.hdfs();
    long before = hdfs.callsOf(observer, "GetFileInfoNumOps");
    try (Storage writer = open(stack, Map.of());
        Storage reader = open(stack, READS_FROM_OBSERVERS)) {
      StoragePath directory = new StoragePath("/observed-" + System.nanoTime());
      writer.makeDirectories(directory);
      for (int each = 0; each < 50; each++) {
        StoragePath file = directory.child("file-" + each);
        try (OutputStream out = writer.create(file)) {
          out.write(file.value().getBytes(UTF_8));
        }
        assertThat(reader.find(file)).isPresent();
        assertThat(reader.list(directory)).hasSize(each + 1);
        try (InputStream in = reader.open(file)) {
          assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(file.value());
        }
      }
    }
    Polling.until(
        "the observer has answered",
        Duration.ofSeconds(30), // the metrics of a server are up to 10 s old
        () -> {
          long answered = hdfs.callsOf(observer, "GetFileInfoNumOps") - before;
          return answered >= 50 ? Optional.empty() : Optional.of(answered + " calls of 50");
        });
  }

  @Test
  void recordsLandOnce(HaStack stack) throws Exception {
    try (HaLanding landing = new HaLanding(stack, READS_FROM_OBSERVERS)) {
      landing.lands("OBSERVER");
    }
  }
}
