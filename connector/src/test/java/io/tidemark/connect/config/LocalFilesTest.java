package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The local files that a configuration may name. */
class LocalFilesTest {
  @Test
  void localFilesAreInTheDirectoryThatTheWorkerNames() {
    Map<String, String> files =
        Map.of(
            "store.url", "file:///srv/tidemark/store",
            "schema.registry.cache.file", "/srv/tidemark/schemas");
    assertThat(problems("/srv/tidemark", files)).isEmpty();
    assertThat(problems("/srv/tidemark/", files)).isEmpty();
    for (String directory : List.of("", "/srv/tide", "/srv/tidemark/store/x", "relative")) {
      assertThat(problems(directory, files)).as(directory).hasSize(2);
    }
    for (String out : List.of("/srv/tidemark/../passwd", "/etc/passwd", "passwd")) {
      assertThat(problems("/srv/tidemark", Map.of("schema.registry.cache.file", out)))
          .containsOnlyKeys("schema.registry.cache.file");
    }
    for (String out :
        List.of("file:///srv/tidemark/../x", "file:///srv/tidemark/%2e%2e/x", "file:/etc")) {
      assertThat(problems("/srv/tidemark", Map.of("store.url", out))).containsOnlyKeys("store.url");
    }
    assertThat(problems("", Map.of("store.url", "hdfs://namenode:8020"))).isEmpty();
  }

  private static Map<String, String> problems(String directory, Map<String, String> files) {
    String before = System.getProperty(LocalFiles.DIRECTORY, "");
    System.setProperty(LocalFiles.DIRECTORY, directory);
    try {
      return LocalFiles.problems(ConnectorConfig.unchecked(files));
    } finally {
      System.setProperty(LocalFiles.DIRECTORY, before);
    }
  }
}
