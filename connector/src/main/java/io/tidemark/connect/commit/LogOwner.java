package io.tidemark.connect.commit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.UUID;

/**
 * Which connector a log belongs to: a file that is put there once, so that two connectors cannot
 * work on one log.
 *
 * <p>Example: {@code /logs/stock-quotes/identity.json} with {@code
 * {"version":1,"log":"stock-quotes", "connector":"stock-quotes"}}
 */
public record LogOwner(String log, String connector) {
  private static final String FILE_NAME = "identity.json";
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
    Optional<LogOwner> standing = read(storage, file);
    if (standing.isEmpty()) {
      storage.makeDirectories(logDirectory);
      put(storage, logDirectory, file);
      standing = read(storage, file);
    }
    if (!standing.equals(Optional.of(this))) {
      throw new CorruptLogException(
          storage.location()
              + file
              + ": the log belongs to "
              + standing.map(other -> "connector \"" + other.connector() + "\"").orElse("nobody")
              + ", not to connector \""
              + connector
              + "\". Two connectors on one log would lose and double records. Set another log.id, or remove the other "
              + "connector and its identity file first.");
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
    try (OutputStream out = storage.create(temporary)) {
      out.write(text);
    }
    try {
      storage.rename(temporary, file);
    } catch (FileAlreadyExistsException e) {
      // Another task of this connector was first, or a connector that the check will name.
      if (!storage.delete(temporary)) {
        throw new NoSuchFileException(temporary.toString());
      }
    }
  }

  private static Optional<LogOwner> read(Storage storage, StoragePath file)
      throws IOException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      JsonNode node = JSON.readTree(in.readAllBytes());
      return Optional.of(new LogOwner(node.path("log").asText(), node.path("connector").asText()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
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
