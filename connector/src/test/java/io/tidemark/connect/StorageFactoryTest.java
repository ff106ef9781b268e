package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.hdfs.HdfsStorage;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageFactoryTest {

  @Test
  void schemeDecidesTheStorage(@TempDir Path directory) throws IOException {
    try (Storage hdfs = open("hdfs://localhost:8020");
        Storage local = open(directory.toUri().toString())) {
      assertThat(hdfs).isInstanceOf(HdfsStorage.class);
      assertThat(local).isInstanceOf(LocalStorage.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a://bucket", "viewfs://cluster/", "webhdfs://host:9870", "/data", ""})
  void storesWhoseRenameNobodyKnowsAreRefused(String url) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "store.url \"" + url + "\" is not a supported store. The commit log needs")
        .hasMessageContaining("For a mount table (viewfs), use the URL of the namespace");
  }

  @ParameterizedTest
  @CsvSource({
    "hdfs:///topics, does not name a name node",
    "hdfs://ann@namenode:8020, contains a user",
    "hdfs://ann:s3cr3t@name_node:8020, contains a user",
    "file://host/directory, is not a directory of this machine",
    "file:directory, is not a directory of this machine",
    "hdfs://ann:s3cr3t@name node, is not a URL"
  })
  void urlThatNamesNoStoreIsRefusedWithoutItsPassword(String url, String problem) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("s3cr3t");
  }

  private static Storage open(String url) throws IOException {
    return StorageFactory.open(
        ConnectorConfig.unchecked(Map.of(ConnectorConfig.STORE_URL, url)), Map.of());
  }
}
