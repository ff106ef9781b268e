package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.FormatVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Which log feeds a topic into a table, as a file that is put if absent: a second log would land
 * every record twice, and neither would know. Safe for use by many threads, tasks and workers.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/logs/quotes.json} holds {@code {"logId":
 * "stock-quotes", "logs": "hdfs://namenode:8020/logs/stock-quotes", "clusterId": "MkU3…",
 * "version": 1}}
 */
public final class TableOwner {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public TableOwner(Storage storage, TableLayout layout) {
    this.storage = storage;
    this.directory = layout.metadataDirectory().child("logs");
    this.files = new PutIfAbsent(storage, directory);
  }

  /**
   * Makes a log the one that feeds a topic into the table, unless it is already.
   *
   * @throws TableOwnedException another log is
   */
  public void own(String topic, LogIdentity log)
      throws IOException, TableOwnedException, CorruptLogException {
    StoragePath file = directory.child(topic + ".json");
    List<StoredFile> before = storage.list(directory);
    if (before.stream().noneMatch(standing -> standing.path().equals(file))) {
      ObjectNode text = JSON.valueToTree(log);
      text.put("version", VERSION);
      files.put(file.name(), JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(text));
    }
    LogIdentity owner = read(file);
    if (!owner.equals(log)) {
      throw new TableOwnedException(
          ("%s%s: the topic %s is fed into this table by the log \"%s\" in %s (Kafka cluster %s),"
                  + " so the log \"%s\" in %s (Kafka cluster %s) may not: every record would land"
                  + " twice. Give this connector the name and logs.dir of that log, or another"
                  + " topics.dir. If that log is gone for good, delete the file.")
              .formatted(
                  storage.location(),
                  file,
                  topic,
                  owner.logId(),
                  owner.logs(),
                  owner.clusterId(),
                  log.logId(),
                  log.logs(),
                  log.clusterId()));
    }
    // Builds before version 2 of the log's entries named temporary files by a hash of the topic.
    String formerName = UUID.nameUUIDFromBytes(topic.getBytes(UTF_8)).toString();
    files.removeLeftovers(before, Set.of(file.name(), formerName));
  }

  private LogIdentity read(StoragePath file)
      throws IOException, TableOwnedException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      JsonNode text = JSON.readTree(in.readAllBytes());
      if (!text.isObject()) {
        throw unreadable(file, "it is no JSON object");
      }
      FormatVersion.require(text, VERSION, storage.location() + file);
      return JSON.treeToValue(text, LogIdentity.class);
    } catch (JsonProcessingException e) {
      throw unreadable(file, e.getOriginalMessage());
    } catch (NoSuchFileException e) {
      throw new IOException(file + " was deleted while it was read", e);
    }
  }

  private TableOwnedException unreadable(StoragePath file, String problem) {
    return new TableOwnedException(
        storage.location()
            + file
            + " does not say which log owns the table: "
            + problem
            + ". Restore it, or delete it if no other log feeds this table.");
  }
}
