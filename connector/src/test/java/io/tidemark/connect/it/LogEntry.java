package io.tidemark.connect.it;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An entry of a commit log, as its text says. */
record LogEntry(int topicPartition, String name, JsonNode json) {

  boolean isBatch() {
    return json.path("type").asText().equals("batch");
  }

  boolean isClaim() {
    return json.path("type").asText().equals("claim");
  }

  /** The process of the worker that made a claim. Example: {@code 4711}, of {@code 4711@host}. */
  long claimingProcess() {
    String worker = json.path("claimant").path("worker").asText();
    return Long.parseLong(worker.substring(0, worker.indexOf('@')));
  }

  String attempt() {
    return json.path("attempt").asText();
  }

  int generation() {
    return json.path("state").path("generation").path("number").asInt();
  }

  /** Where the log stands after this entry: the next offset, -1 while that is unknown. */
  long next() {
    return json.path("state").path("next").asLong();
  }

  Instant writtenAt() {
    return Instant.parse(json.path("writtenAt").asText());
  }

  /** The first offset of a batch. */
  long first() {
    return json.path("range").path("first").asLong();
  }

  long landed() {
    return json.path("counts").path("landed").asLong();
  }

  /** The offsets of a batch that are in no file. */
  long notLanded() {
    long count = 0;
    for (String name : List.of("deadLettered", "skipped", "notDelivered", "lost")) {
      count += json.path("counts").path(name).asLong();
    }
    return count;
  }

  List<JsonNode> files() {
    List<JsonNode> files = new ArrayList<>();
    json.path("files").forEach(files::add);
    return files;
  }
}
