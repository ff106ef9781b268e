package io.tidemark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the batches of a commit log over HTTP. Its entries are JSON files that never change; {@code
 * docs/PROTOCOL.md} defines them. Used by one thread.
 */
final class CommitLogView {

  // /logs/stock-quotes/stock-quotes/3/00000000000000000042.json
  private static final Pattern ENTRY = Pattern.compile(".*/([^/]+)/(\\d+)/\\d{20}\\.json");

  private final ObjectMapper json = new ObjectMapper();
  private final WebHdfs hdfs;
  private final String directory;
  private final Set<String> seen = new HashSet<>();

  /**
   * @param directory the directory of the log. Example: {@code /logs/stock-quotes}
   */
  CommitLogView(WebHdfs hdfs, String directory) {
    this.hdfs = hdfs;
    this.directory = directory;
  }

  /**
   * A committed batch.
   *
   * @param topicPartition the topic-partition. Example: {@code stock-quotes-3}
   * @param landed the number of its records in files
   * @param files the paths of its files in the table
   * @param bytes the total length of its files
   */
  record Batch(
      String topicPartition, long first, long next, long landed, List<String> files, long bytes) {

    Batch {
      files = List.copyOf(files);
    }

    @Override
    public String toString() {
      return "committed %s [%d, %d): %,d records in %d files, %.1f MB"
          .formatted(topicPartition, first, next, landed, files.size(), bytes / 1e6);
    }
  }

  /** Returns the batches that were committed since the last call. */
  List<Batch> newBatches() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (WebHdfs.Entry file : hdfs.walk(directory)) {
      Matcher entry = ENTRY.matcher(file.path());
      if (entry.matches() && seen.add(file.path())) {
        JsonNode content = json.readTree(hdfs.read(file.path()));
        if (content.path("type").asText().equals("batch")) {
          batches.add(batch(entry.group(1) + "-" + entry.group(2), content));
        }
      }
    }
    return batches;
  }

  private static Batch batch(String topicPartition, JsonNode entry) {
    List<String> files = new ArrayList<>();
    long bytes = 0;
    for (JsonNode file : entry.path("files")) {
      files.add(file.path("path").asText());
      bytes += file.path("bytes").asLong();
    }
    return new Batch(
        topicPartition,
        entry.path("range").path("first").asLong(),
        entry.path("range").path("next").asLong(),
        entry.path("counts").path("landed").asLong(),
        files,
        bytes);
  }
}
