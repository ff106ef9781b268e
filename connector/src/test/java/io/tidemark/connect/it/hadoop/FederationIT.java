package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.config.StoreUrl;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.pipeline.LandedRows;
import io.tidemark.connect.pipeline.OneSchema;
import io.tidemark.connect.pipeline.Quotes;
import io.tidemark.connect.pipeline.TestTask;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.HdfsRouter;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Two HDFS that users see as one: by a router, and by a mount table of their clients (ViewFS). */
@Isolated
@Tag("exclusive")
@Tag("long")
final class FederationIT {
  private static final StoragePath TABLE = new StoragePath("/topics/quotes");
  private static final int RECORDS = 60;
  private static final int BATCH_RECORDS = 20;

  @TempDir private Path confDir;

  private static LocalStack first;
  private static LocalStack second;
  private static HdfsRouter router;

  @BeforeAll
  static void start() throws IOException {
    first = hdfs();
    second = hdfs();
    for (String directory : new String[] {"/logs", "/topics", "/topics/crossing"}) {
      first.hdfs().files().makeDirectories(directory);
      second.hdfs().files().makeDirectories(directory);
    }
    router =
        HdfsRouter.start(
            HadoopStack.newDirectory(),
            Map.of("ns1", first.hdfs(), "ns2", second.hdfs()),
            Map.of("/logs", "ns1", "/topics", "ns2", "/topics/crossing", "ns1"));
  }

  private static LocalStack hdfs() {
    return LocalStack.builder()
        .directory(HadoopStack.newDirectory())
        .firstCompilerOnly()
        .with(Service.HDFS)
        .start();
  }

  @AfterAll
  static void stop() {
    if (router != null) {
      router.close();
    }
    first.close();
    second.close();
  }

  private static Storage open(URI url, Optional<Path> confDir) throws IOException {
    return new HdfsConnection(
            url, confDir, Map.of("dfs.replication", "1"), HadoopUser.OF_THE_PROCESS)
        .open();
  }

  private static void lands(Storage storage) throws IOException {
    Quotes quotes = new Quotes();
    for (int task = 0; task < 2; task++) {
      quotes.produce(RECORDS);
      try (TestTask landing =
          new TestTask(
              quotes.topic,
              storage,
              new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
              PartitionSpec.NONE,
              Optional.empty(),
              BATCH_RECORDS,
              1)) {
        landing.open(0);
        landing.pollUntilLanded(0);
      }
    }
    assertThat(LandedRows.keys(storage, TABLE))
        .containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(LandedRows.staged(storage, TABLE)).isEmpty();
  }

  /** Files are renamed within a log's directory, and within a table. */
  @Test
  void logAndTableThatLieEachInOneNamespaceLandByARouter() throws IOException {
    try (Storage storage = open(router.uri(), Optional.empty())) {
      lands(storage);
    }
    assertThat(entries(first.hdfs(), "/logs")).isPositive();
    assertThat(entries(second.hdfs(), "/topics/quotes")).isPositive();
    assertThat(entries(second.hdfs(), "/logs")).isZero();
  }

  private static int entries(Hdfs hdfs, String directory) throws IOException {
    return hdfs.files().list(directory).size();
  }

  @Test
  void renameToAnotherNamespaceIsRefusedWithItsReason() throws IOException {
    StoragePath file = new StoragePath("/topics/staged");
    StoragePath target = new StoragePath("/topics/crossing/published");
    try (Storage storage = open(router.uri(), Optional.empty())) {
      try (OutputStream out = storage.create(file)) {
        out.write("row".getBytes(UTF_8));
      }
      assertThatThrownBy(() -> storage.rename(file, target))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("no eligible destination in the same namespace")
          .hasMessageContaining("Mount all of logs.dir from one namespace, and all of each table");
      assertThat(storage.find(file)).isPresent();
      assertThat(storage.find(target)).isEmpty();
    }
  }

  /** The URL of one namespace is that of its name node or name service. */
  @Test
  void namespaceOfAMountTableIsUsedByItsOwnUrl() throws IOException {
    Files.writeString(
        confDir.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>fs.defaultFS</name><value>viewfs://cluster</value></property>
          <property><name>fs.viewfs.mounttable.cluster.link./logs</name><value>%1$s/logs</value></property>
          <property><name>fs.viewfs.mounttable.cluster.link./topics</name><value>%2$s/topics</value></property>
        </configuration>
        """
            .formatted(first.hdfs().uri(), second.hdfs().uri()));
    assertThat(StoreUrl.problem("viewfs://cluster").orElseThrow())
        .contains("use the URL of the namespace that contains topics.dir and logs.dir");
    try (Storage storage =
        open(URI.create(first.hdfs().uri() + "/by-mount-table"), Optional.of(confDir))) {
      lands(storage);
      assertThat(storage.location()).isEqualTo(first.hdfs().uri() + "/by-mount-table");
    }
  }
}
