package io.tidemark.connect.it.landed;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An entry of a commit log, read from its JSON. */
public record LogEntry(int topicPartition, String name, JsonNode json) {

  /** The number in the name of its file, {@code 00000000000000000118.json}. */
  public long number() {
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  public boolean isBatch() {
    return json.path("type").asText().equals("batch");
  }

  public boolean isClaim() {
    return json.path("type").asText().equals("claim");
  }

  /** True for an operator's skip of offsets that must not land. */
  public boolean isSkip() {
    return json.path("type").asText().equals("skip");
  }

  /** The process of the worker that made a claim. Example: {@code 4711}, of {@code 4711@host}. */
  public long claimingProcess() {
    String worker = json.path("claimant").path("worker").asText();
    return Long.parseLong(worker.substring(0, worker.indexOf('@')));
  }

  /** The number of the task that made a claim. */
  public int claimingTask() {
    return json.path("claimant").path("task").asInt();
  }

  public String attempt() {
    return json.path("attempt").asText();
  }

  public int generation() {
    return json.path("state").path("generation").path("number").asInt();
  }

  /** The next offset after this entry; -1 while it is unknown. */
  public long next() {
    return json.path("state").path("next").asLong();
  }

  public Instant writtenAt() {
    return Instant.parse(json.path("writtenAt").asText());
  }

  /** The first offset of a batch or a skip. */
  public long first() {
    return json.path("range").path("first").asLong();
  }

  public long landed() {
    return json.path("counts").path("landed").asLong();
  }

  /** The offsets of a batch that are in no file. */
  public long notLanded() {
    long count = 0;
    for (String name : List.of("deadLettered", "skipped", "notDelivered", "lost")) {
      count += count(name);
    }
    return count;
  }

  /** The offsets of a batch in a class. Example: {@code lost}. */
  public long count(String name) {
    return json.path("counts").path(name).asLong();
  }

  /**
   * The offsets of the generation up to this entry that are in a class, folded entries included.
   * Example: {@code landed}.
   */
  public long account(String name) {
    return json.path("state").path("counts").path(name).asLong();
  }

  public List<JsonNode> files() {
    List<JsonNode> files = new ArrayList<>();
    json.path("files").forEach(files::add);
    return files;
  }
}
