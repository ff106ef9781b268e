package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.ServerProcess;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A file of the store, with its name, survives a loss of power as soon as it is closed. The data
 * node then loses all that it has not forced to its disk.
 */
@OnHaStack
final class PowerLossIT {
  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
  private static final StoragePath OURS = new StoragePath("/ours");
  private static final StoragePath RENAMED = new StoragePath("/renamed");
  private static final Path CLOSED = new Path("/power/closed");

  private final HaStack stack;
  private final Hdfs hdfs;
  private final Storage storage;
  private final FileSystem files;

  PowerLossIT(HaStack stack) throws IOException {
    this.stack = stack;
    hdfs = stack.hdfsWithForcedFiles();
    storage =
        new HdfsConnection(
                stack.uri().resolve("/power"),
                Optional.empty(),
                hdfs.clientSettings(),
                HadoopUser.OF_THE_PROCESS)
            .open();
    files =
        stack.newFileSystem(
            stack.configuration(Map.of("dfs.client.max.block.acquire.failures", "0")));
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    storage.makeDirectories(new StoragePath("/"));
  }

  /** A restarted name node would wait for the lost blocks in its safe mode. */
  @AfterEach
  void deleteFiles() throws IOException {
    assertThat(files.delete(CLOSED.getParent(), true)).isTrue();
    files.close();
    storage.close();
  }

  @Test
  void fileOfTheStoreSurvivesAndOneThatIsOnlyClosedDoesNot() throws IOException {
    writeBoth();
    // Data and checksums of the other file, and what earlier tests have just deleted.
    assertThat(hdfs.losePowerOfDataNode()).hasSizeGreaterThanOrEqualTo(2);
    stack.mend();
    assertThat(ours()).isEqualTo(CONTENT);
    assertThatThrownBy(this::closed).isInstanceOf(BlockMissingException.class);
  }

  @Test
  @Tag("long")
  void withSynconcloseAlsoAClosedFileSurvives() throws IOException {
    hdfs.restartDataNode(Map.of("dfs.datanode.synconclose", "true"));
    try {
      writeBoth();
      var unused = hdfs.losePowerOfDataNode();
      stack.mend();
      assertThat(ours()).isEqualTo(CONTENT);
      assertThat(closed()).isEqualTo(CONTENT);
    } finally {
      hdfs.restartDataNode(Map.of());
    }
  }

  @Test
  void mostJournalNodesHaveForcedARenameWhenItReturns() throws IOException {
    write(storage.create(OURS));
    List<ServerProcess> nodes = List.copyOf(hdfs.journalNodes().keySet());
    int[] before = nodes.stream().mapToInt(this::forcedEdits).toArray();
    storage.rename(OURS, RENAMED);
    long forced =
        IntStream.range(0, nodes.size()).filter(i -> forcedEdits(nodes.get(i)) > before[i]).count();
    assertThat(forced).isGreaterThanOrEqualTo(2);
  }

  private int forcedEdits(ServerProcess journalNode) {
    return (int)
        hdfs.forcedFiles(journalNode).inOrder().stream()
            .filter(file -> String.valueOf(file.getFileName()).startsWith("edits_inprogress_"))
            .count();
  }

  private void writeBoth() throws IOException {
    write(storage.create(OURS));
    write(files.create(CLOSED));
  }

  private static void write(OutputStream file) throws IOException {
    try (file) {
      file.write(CONTENT);
    }
  }

  private byte[] ours() throws IOException {
    try (InputStream file = storage.open(OURS)) {
      return file.readAllBytes();
    }
  }

  private byte[] closed() throws IOException {
    try (InputStream file = files.open(CLOSED)) {
      return file.readAllBytes();
    }
  }
}
