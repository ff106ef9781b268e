package io.tidemark.connect.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StorageContract;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The storage contract on a real HDFS. */
@OnRealStack
class HdfsStorageIT extends StorageContract {
  private static LocalStack stack;

  @BeforeAll
  static void takeStack(RealStack real) {
    stack = real.services();
  }

  @Override
  protected Storage newStorage() throws IOException {
    return storage("/store");
  }

  @Override
  protected int rounds() {
    return 50;
  }

  private static Storage storage(String path) throws IOException {
    URI url = URI.create(stack.hdfs().uri() + path);
    return new HdfsConnection(url, Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS).open();
  }

  @Test
  void pathOfTheUrlIsTheRootOfTheStore() throws IOException {
    try (Storage below = storage("/a/b/");
        Storage whole = storage("")) {
      below.makeDirectories(new StoragePath("/c"));

      assertThat(below.location()).isEqualTo(stack.hdfs().uri() + "/a/b");
      assertThat(whole.location()).isEqualTo(stack.hdfs().uri().toString());
      assertThat(whole.find(new StoragePath("/a/b/c"))).isPresent();
      assertThat(whole.list(new StoragePath("/"))).isNotEmpty();
    }
  }

  @Test
  void filesHaveTheClustersReplication() throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/replicated");
    try (Storage storage = storage("")) {
      storage.create(new StoragePath("/replicated")).close();
    }
    try (DistributedFileSystem fileSystem = new DistributedFileSystem()) {
      fileSystem.initialize(stack.hdfs().uri(), new Configuration());

      assertThat(fileSystem.getFileStatus(file).getReplication()).isEqualTo((short) 1);
    }
  }

  @Test
  void filesAreForcedToTheDataNodesDisks() throws IOException {
    try (Storage storage = storage("");
        OutputStream out = storage.create(new StoragePath("/durable"))) {
      HdfsDataOutputStream file = (HdfsDataOutputStream) ((HdfsOutput) out).file();
      assertThat(file.getWrappedStream()).extracting("shouldSyncBlock").isEqualTo(true);
    }
  }

  @Test
  void fullDirectoryIsNamedWithItsLimitAndTakesTheFileOnceThereIsRoom() throws IOException {
    StoragePath full = new StoragePath("/quota/region=eu");
    StoragePath staged = new StoragePath("/quota/.staging/1.avro");
    try (Storage storage = storage("");
        DistributedFileSystem operator = new DistributedFileSystem()) {
      operator.initialize(stack.hdfs().uri(), new Configuration());
      storage.makeDirectories(full);
      storage.makeDirectories(staged.parent());
      storage.create(staged).close();
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(full.value());
      operator.setQuota(directory, 1, HdfsConstants.QUOTA_DONT_SET);

      storage.requireRenames(staged.parent(), full);
      assertThatThrownBy(() -> storage.rename(staged, full.child("1.avro")))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("of directory /quota/region=eu is exceeded: quota=1")
          .hasMessageContaining("hdfs dfsadmin -setQuota");
      operator.setQuota(directory, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);

      storage.rename(staged, full.child("1.avro"));
      assertThat(storage.find(full.child("1.avro"))).isPresent();
    }
  }

  @Test
  void outageOfTheNameNodeIsAnErrorAndThenOver() throws IOException {
    StoragePath file = new StoragePath("/survivor");
    try (Storage storage = storage("")) {
      storage.create(file).close();
      stack.hdfs().nameNode().kill();
      try {
        Assertions.assertTimeout(
            Duration.ofSeconds(60),
            () ->
                assertThatThrownBy(() -> storage.find(file))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchFileException.class));
      } finally {
        stack.hdfs().nameNode().start();
        stack.hdfs().awaitServing();
      }
      assertThat(storage.find(file)).isPresent();
      storage.rename(file, new StoragePath("/renamed"));
      assertThat(storage.delete(new StoragePath("/renamed"))).isTrue();
    }
  }
}
