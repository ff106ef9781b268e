package io.tidemark.connect.it.completeness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.WebHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The times at which accounts arrive in a ledger's inbox, by the name node's clock, compared with
 * the times of the ledger's entries. A separate thread observes the inbox, because the reckoner
 * deletes accounts. Begun and ended by one thread.
 */
final class AccountTimes {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long PAUSE_MS = 100;

  private final WebHdfs hdfs;
  private final String ledger;
  private final Set<String> seen = new HashSet<>();
  // The times by topic, topic-partition and number of the newest settled entry.
  private final Map<String, Map<Integer, NavigableMap<Long, Instant>>> came = new TreeMap<>();
  private final CompletableFuture<Void> looking;
  private volatile boolean wanted = true;

  private AccountTimes(LocalStack services, String logId) {
    this.hdfs = services.hdfs().files();
    this.ledger = "/ledger/logs/" + logId;
    this.looking =
        CompletableFuture.runAsync(this::look, turns -> new Thread(turns, "accounts").start());
  }

  static AccountTimes begin(LocalStack services, String logId) {
    return new AccountTimes(services, logId);
  }

  private void look() {
    try {
      while (wanted) {
        for (WebHdfs.Entry file : list("/inbox")) {
          if (file.path().endsWith(".json") && !seen.contains(file.path())) {
            read(file).ifPresent(account -> note(account, file));
          }
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<WebHdfs.Entry> list(String directory) throws IOException {
    try {
      return hdfs.list(ledger + directory);
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** Empty if the reckoner has deleted it. */
  private Optional<JsonNode> read(WebHdfs.Entry file) throws IOException {
    try {
      return Optional.of(JSON.readTree(hdfs.read(file.path())));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private void note(JsonNode account, WebHdfs.Entry file) {
    seen.add(file.path());
    for (JsonNode log : account.path("logs")) {
      came.computeIfAbsent(log.path("topic").asText(), topic -> new TreeMap<>())
          .computeIfAbsent(log.path("topicPartition").asInt(), each -> new TreeMap<>())
          .merge(
              log.path("number").asLong(),
              file.modified(),
              (one, other) -> one.isBefore(other) ? one : other);
    }
  }

  /**
   * Ends the observation.
   *
   * @param log the commit log of the topic, with all entries
   * @return for each completion the time between two events: all accounts that cover it have
   *     arrived and its snapshot is taken; the ledger's entry is written
   */
  List<Duration> end(String topic, LandedLog log) throws IOException {
    wanted = false;
    looking.join();
    Map<Long, JsonNode> ends = new TreeMap<>();
    Map<Long, Instant> asked = new TreeMap<>();
    List<Duration> delays = new ArrayList<>();
    List<LogEntry> entries = log.entries();
    for (WebHdfs.Entry file : list("/log")) {
      JsonNode entry = JSON.readTree(hdfs.read(file.path()));
      String name = file.path().substring(file.path().lastIndexOf('/') + 1);
      long number = Long.parseLong(name.substring(0, name.indexOf('.')));
      if (entry.has("snapshot")) {
        ends.put(number, entry.at("/snapshot/topics/" + topic + "/ends"));
        asked.put(number, file.modified());
      }
      for (JsonNode completion : entry.path("completions")) {
        long snapshot = completion.path("snapshot").asLong();
        Instant ready = asked.get(snapshot);
        JsonNode offsets = ends.get(snapshot);
        if (ready == null || offsets == null) {
          throw new AssertionError("the ledger is folded: " + completion);
        }
        for (int each = 0; each < offsets.size(); each++) {
          Instant covered = covered(topic, covering(entries, each, offsets.get(each).asLong()));
          ready = covered.isAfter(ready) ? covered : ready;
        }
        delays.add(Duration.between(ready, file.modified()));
      }
    }
    return delays;
  }

  /** The first entry of a topic-partition after which all offsets below {@code end} are settled. */
  private static LogEntry covering(List<LogEntry> entries, int topicPartition, long end) {
    return entries.stream()
        .filter(entry -> entry.topicPartition() == topicPartition && entry.next() >= end)
        .min(Comparator.comparingLong(LogEntry::number))
        .orElseThrow(() -> new AssertionError("no entry of " + topicPartition + " reaches " + end));
  }

  private Instant covered(String topic, LogEntry entry) {
    return came
        .getOrDefault(topic, Map.of())
        .getOrDefault(entry.topicPartition(), new TreeMap<>())
        .tailMap(entry.number(), true)
        .values()
        .stream()
        .min(Instant::compareTo)
        .orElseThrow(() -> new AssertionError("no account reaches " + entry));
  }
}
