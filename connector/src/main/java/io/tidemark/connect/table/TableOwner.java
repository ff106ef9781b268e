package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which log feeds a topic into a table, as a file that is put if absent: a second log would land
 * every record twice, and neither would know. Safe for use by many threads, tasks and workers.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/logs/quotes.json} holds {@code {"logId":
 * "stock-quotes", "logs": "hdfs://namenode:8020/logs/stock-quotes", "clusterId": "MkU3…"}}
 */
public final class TableOwner {
  private static final Logger LOG = LoggerFactory.getLogger(TableOwner.class);
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final Storage storage;
  private final StoragePath directory;

  public TableOwner(Storage storage, TableLayout layout) {
    this.storage = storage;
    this.directory = layout.metadataDirectory().child("logs");
  }

  /**
   * Makes a log the one that feeds a topic into the table, unless it is already.
   *
   * @throws TableOwnedException another log is
   */
  public void own(String topic, LogIdentity log) throws IOException, TableOwnedException {
    StoragePath file = directory.child(topic + ".json");
    List<StoredFile> before = storage.list(directory);
    if (before.stream().noneMatch(standing -> standing.path().equals(file))) {
      put(file, topic, log);
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
    for (StoredFile left : before) {
      // The name is taken, so what was to be renamed to it never will be.
      if (left.path().name().startsWith(temporaries(topic)) && storage.delete(left.path())) {
        LOG.info("removed {}, left by a task that stopped", left.path());
      }
    }
  }

  /**
   * What the names begin with of files that are to become a topic's: not the topic's own name,
   * which may be as long as a name can be.
   */
  private static String temporaries(String topic) {
    return "." + UUID.nameUUIDFromBytes(topic.getBytes(UTF_8)) + ".";
  }

  private void put(StoragePath file, String topic, LogIdentity log) throws IOException {
    storage.makeDirectories(directory);
    StoragePath temporary = directory.child(temporaries(topic) + UUID.randomUUID() + ".tmp");
    try {
      try (OutputStream out = storage.create(temporary)) {
        out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(log));
      }
      storage.rename(temporary, file);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // Whoever was first is read next.
      boolean removed = storage.delete(temporary);
      LOG.info("{} was there before {}, which is removed: {}", file, temporary, removed);
    }
  }

  private LogIdentity read(StoragePath file) throws IOException, TableOwnedException {
    try (InputStream in = storage.open(file)) {
      return JSON.readValue(in.readAllBytes(), LogIdentity.class);
    } catch (JsonProcessingException e) {
      throw new TableOwnedException(
          storage.location()
              + file
              + " does not tell which log owns the table: "
              + e.getOriginalMessage()
              + ". Restore it, or delete it if no other log feeds this table.");
    } catch (NoSuchFileException e) {
      throw new IOException(file + " was deleted while it was read", e);
    }
  }
}
