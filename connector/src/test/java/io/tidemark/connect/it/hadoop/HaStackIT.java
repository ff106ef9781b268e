package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.Hdfs;
import io.tidemark.stack.NameNode;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shows that the stack with several name nodes fails over, with Hadoop's own client. */
@OnHaStack
final class HaStackIT {

  @Test
  void clientGoesOnAfterAFailOverByHand(HaStack stack) throws IOException {
    Hdfs hdfs = stack.hdfs();
    NameNode before = hdfs.active();
    try (FileSystem files = stack.newFileSystem(stack.configuration(Map.of()))) {
      try (FSDataOutputStream open = files.create(new Path("/by-hand/open"), false)) {
        open.writeInt(1);
        open.hflush();
        NameNode after = hdfs.failOver();

        assertThat(after).isNotEqualTo(before);
        assertThat(hdfs.active()).isEqualTo(after);
        assertThat(hdfs.isActive(before)).isFalse();
        open.writeInt(2);
      }
      write(files, "/by-hand/later");
      assertThat(files.rename(new Path("/by-hand/open"), new Path("/by-hand/final"))).isTrue();
      assertThat(files.getFileStatus(new Path("/by-hand/final")).getLen()).isEqualTo(8);
    }
  }

  @Test
  void clientGoesOnAfterTheActiveNameNodeWasKilled(HaStack stack) throws IOException {
    Hdfs hdfs = stack.hdfs();
    try (FileSystem files = stack.newFileSystem(stack.configuration(Map.of()))) {
      write(files, "/killed/before");
      NameNode killed = hdfs.killActive();
      NameNode other = hdfs.otherThan(killed);
      hdfs.activate(other);

      write(files, "/killed/after");
      assertThat(files.listStatus(new Path("/killed"))).hasSize(2);
      killed.process().start();
      assertThat(hdfs.isActive(killed)).isFalse();
      assertThat(hdfs.active()).isEqualTo(other);
    }
  }

  @Test
  void suspendedNameNodeCannotWriteAfterAnotherBecameActive(HaStack stack) throws IOException {
    Hdfs hdfs = stack.hdfs();
    try (FileSystem files = stack.newFileSystem(stack.configuration(Map.of()))) {
      write(files, "/suspended/before");
      NameNode suspended = hdfs.suspendActive();
      NameNode other = hdfs.otherThan(suspended);
      hdfs.activate(other);
      write(files, "/suspended/after");

      suspended.process().resume();
      // A client that knows only this name node asks it for a change, which the journal nodes
      // refuse.
      try (FileSystem old =
          FileSystem.newInstance(
              URI.create("hdfs://" + suspended.rpcAddress()),
              stack.configuration(Map.of("fs.defaultFS", "hdfs://" + suspended.rpcAddress())))) {
        Polling.until(
            suspended + " is not active any more",
            Duration.ofMinutes(1),
            () -> {
              try {
                assertThat(old.mkdirs(new Path("/suspended/by-the-old-one"))).isFalse();
              } catch (IOException refused) {
                return hdfs.isActive(suspended)
                    ? Optional.of("it answers " + refused)
                    : Optional.empty();
              }
              return Optional.of("it answers");
            });
      }
      assertThat(hdfs.isActive(other)).isTrue();
      assertThat(files.exists(new Path("/suspended/by-the-old-one"))).isFalse();
      write(files, "/suspended/later");
    }
  }

  @Test
  void stackIsMended(HaStack stack) {
    Hdfs hdfs = stack.hdfs();
    hdfs.killActive();
    hdfs.mend();
    NameNode suspended = hdfs.suspendActive();
    hdfs.activate(hdfs.otherThan(suspended));
    suspended.process().resume();
    hdfs.mend();

    assertThat(hdfs.nameNodes().stream().filter(hdfs::isActive)).hasSize(1);
    assertThat(hdfs.nameNodes()).allMatch(node -> node.process().isAlive());
  }

  /**
   * These files are not forced to the disk. After a loss of power in another test, name nodes would
   * wait for them in their safe mode.
   */
  @AfterEach
  void deleteFiles(HaStack stack) throws IOException {
    try (FileSystem files = stack.newFileSystem(stack.configuration(Map.of()))) {
      for (String directory : List.of("/by-hand", "/killed", "/suspended")) {
        boolean unused = files.delete(new Path(directory), true);
      }
    }
  }

  private static void write(FileSystem files, String path) throws IOException {
    try (FSDataOutputStream out = files.create(new Path(path), false)) {
      out.writeUTF(path);
    }
  }
}
