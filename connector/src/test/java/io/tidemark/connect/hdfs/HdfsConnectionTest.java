package io.tidemark.connect.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsConnectionTest {
  private static final URI NAME_NODE = URI.create("hdfs://localhost:8020");

  @TempDir Path confDir;

  @Test
  void nameNodeThatIsAwayIsAnErrorWithinSeconds() throws IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0)) {
      freePort = socket.getLocalPort();
    }
    try (Storage storage = connection(URI.create("hdfs://localhost:" + freePort)).open()) {
      Assertions.assertTimeout(
          Duration.ofSeconds(30),
          () ->
              assertThatThrownBy(() -> storage.find(new StoragePath("/")))
                  .isInstanceOf(IOException.class));
    }
  }

  @Test
  void unknownHostIsAnErrorThatMayPass() {
    assertThatThrownBy(() -> connection(URI.create("hdfs://no-such-host.invalid:8020")).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no-such-host.invalid")
        .hasMessageContaining("hadoop.conf.dir");
  }

  @Test
  void anotherFileSystemBehindTheSchemeIsRefused() {
    assertThatThrownBy(
            () ->
                new HdfsConnection(
                        NAME_NODE,
                        Optional.empty(),
                        Map.of("fs.hdfs.impl", "org.apache.hadoop.fs.RawLocalFileSystem"),
                        HadoopUser.OF_THE_PROCESS)
                    .open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("org.apache.hadoop.fs.RawLocalFileSystem")
        .hasMessageContaining("remove fs.hdfs.impl from core-site.xml");
  }

  @Test
  void confDirIsRead() throws IOException {
    Files.writeString(
        confDir.resolve("core-site.xml"),
        """
        <configuration><property>
          <name>fs.hdfs.impl</name><value>org.apache.hadoop.fs.RawLocalFileSystem</value>
        </property></configuration>
        """);

    assertThatThrownBy(
            () ->
                new HdfsConnection(
                        NAME_NODE, Optional.of(confDir), Map.of(), HadoopUser.OF_THE_PROCESS)
                    .open())
        .hasMessageContaining("org.apache.hadoop.fs.RawLocalFileSystem");
  }

  /** An observer may be behind: what another worker has written must be there all the same. */
  @Test
  void readsFromObserversAreAsRecentAsTheActiveNameNode() throws IOException {
    assertThat(
            connection(URI.create("hdfs://ns1"))
                .configuration()
                .get("dfs.client.failover.observer.auto-msync-period.ns1"))
        .isEqualTo("0");
  }

  @Test
  void defaultsOfTheClientEndACallThatANameNodeDoesNotAnswer() throws IOException {
    Files.writeString(
        confDir.resolve("core-site.xml"),
        """
        <configuration><property>
          <name>ipc.client.rpc-timeout.ms</name><value>30000</value>
        </property></configuration>
        """);

    assertThat(connection(NAME_NODE).configuration().get("ipc.client.rpc-timeout.ms"))
        .isEqualTo("10000");
    assertThat(
            new HdfsConnection(NAME_NODE, Optional.of(confDir), Map.of(), HadoopUser.OF_THE_PROCESS)
                .configuration()
                .get("ipc.client.rpc-timeout.ms"))
        .isEqualTo("30000");
  }

  @Test
  void nameServiceWithoutItsDefinitionIsAnUnknownHost() {
    assertThatThrownBy(() -> connection(URI.create("hdfs://ns1-of-nobody")).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("store.url hdfs://ns1-of-nobody: the host ns1-of-nobody is unknown")
        .hasMessageContaining("hadoop.conf.dir must contain the hdfs-site.xml that defines it");
  }

  @Test
  void confDirWithoutSiteFilesIsRefused() {
    assertThatThrownBy(
            () ->
                new HdfsConnection(
                    NAME_NODE, Optional.of(confDir), Map.of(), HadoopUser.OF_THE_PROCESS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("contains neither core-site.xml nor hdfs-site.xml");
  }

  @Test
  void otherUrlsAreRefused() {
    assertThatThrownBy(() -> connection(URI.create("s3a://bucket")))
        .hasMessage("store.url s3a://bucket is not a URL of HDFS. Example: hdfs://namenode:8020");
    assertThatThrownBy(() -> connection(URI.create("hdfs:///topics")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void openingLeavesTheThreadsClassLoader() throws IOException {
    ClassLoader before = Thread.currentThread().getContextClassLoader();

    connection(NAME_NODE).open().close();

    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  private static HdfsConnection connection(URI url) {
    return new HdfsConnection(url, Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS);
  }
}
