package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void linkThatLeadsOutOfTheDirectoryIsRefused(@TempDir Path place) throws IOException {
    Path directory = Files.createDirectory(place.resolve("tidemark"));
    Path other = Files.createDirectory(place.resolve("other"));
    Files.createDirectory(directory.resolve("inside"));
    Files.createSymbolicLink(directory.resolve("out"), other);
    Files.createSymbolicLink(directory.resolve("file"), other.resolve("file"));
    Files.createSymbolicLink(directory.resolve("loop"), directory.resolve("loop"));
    Files.createSymbolicLink(directory.resolve("in"), directory.resolve("inside"));
    Path linked = Files.createSymbolicLink(place.resolve("linked"), directory);
    for (String out : List.of("out", "out/new/file", "file", "loop", "loop/file")) {
      String path = directory.resolve(out).toString();
      assertThat(
              problems(
                  directory.toString(),
                  Map.of("store.url", "file://" + path, "schema.registry.cache.file", path)))
          .as(out)
          .containsOnlyKeys("store.url", "schema.registry.cache.file");
    }
    for (String in : List.of("inside", "in", "in/new/file", "new")) {
      for (Path named : List.of(directory, linked)) {
        String path = named.resolve(in).toString();
        assertThat(problems(named.toString(), Map.of("schema.registry.cache.file", path)))
            .as(path)
            .isEmpty();
      }
    }
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
