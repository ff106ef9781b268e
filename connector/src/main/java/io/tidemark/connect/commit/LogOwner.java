package io.tidemark.connect.commit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.commit.entry.CorruptLogException;
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
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which connector a log belongs to: a file that is put there once, so that two connectors cannot
 * work on one log.
 *
 * <p>Example: {@code /logs/stock-quotes/identity.json} with {@code
 * {"version":1,"log":"stock-quotes", "connector":"stock-quotes"}}
 */
public record LogOwner(String log, String connector) {
  private static final Logger LOG = LoggerFactory.getLogger(LogOwner.class);
  private static final String FILE_NAME = "identity.json";

  // .identity.json.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp
  private static final Pattern TEMPORARY_NAME =
      Pattern.compile("\\.identity\\.json\\.[0-9a-f-]{36}\\.tmp");
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Puts this identity into a log's directory, or checks that it stands there.
   *
   * @throws CorruptLogException the log belongs to another connector, or its identity cannot be
   *     read
   */
  public void establish(Storage storage, StoragePath logDirectory)
      throws IOException, CorruptLogException {
    StoragePath file = logDirectory.child(FILE_NAME);
    List<StoredFile> before = storage.list(logDirectory);
    if (before.stream().noneMatch(standing -> standing.path().equals(file))) {
      storage.makeDirectories(logDirectory);
      put(storage, logDirectory, file);
    }
    LogOwner owner = read(storage, file);
    if (!owner.equals(this)) {
      throw new CorruptLogException(
          storage.location()
              + file
              + ": the log belongs to connector \""
              + owner.connector()
              + "\", not to connector \""
              + connector
              + "\". Two connectors on one log would lose and double records. Set another log.id, or remove the other "
              + "connector and its identity file first.");
    }
    for (StoredFile left : before) {
      // The name is taken, so what was to be renamed to it never will be.
      if (TEMPORARY_NAME.matcher(left.path().name()).matches() && storage.delete(left.path())) {
        LOG.info("removed {}, left by a task that stopped", left.path());
      }
    }
  }

  private void put(Storage storage, StoragePath logDirectory, StoragePath file) throws IOException {
    StoragePath temporary = logDirectory.child("." + FILE_NAME + "." + UUID.randomUUID() + ".tmp");
    byte[] text =
        JSON.writerWithDefaultPrettyPrinter()
            .writeValueAsBytes(
                JSON.createObjectNode()
                    .put("version", VERSION)
                    .put("log", log)
                    .put("connector", connector));
    try {
      try (OutputStream out = storage.create(temporary)) {
        out.write(text);
      }
      storage.rename(temporary, file);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // Another task of this connector was first, or a connector that the check will name.
      boolean removed = storage.delete(temporary);
      LOG.info("{} was there before {}, which is removed: {}", file, temporary, removed);
    }
  }

  private static LogOwner read(Storage storage, StoragePath file)
      throws IOException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      JsonNode node = JSON.readTree(in.readAllBytes());
      return new LogOwner(node.path("log").asText(), node.path("connector").asText());
    } catch (JacksonException e) {
      throw new CorruptLogException(
          storage.location()
              + file
              + ": the identity of the log cannot be read: "
              + e.getOriginalMessage()
              + ". The file was damaged or edited. Restore it from a copy.",
          e);
    }
  }
}
