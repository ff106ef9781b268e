package io.tidemark.connect.commit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.FormatVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * Which connector a log belongs to: a file that is put there once, so that two connectors cannot
 * work on one log.
 *
 * <p>Example: {@code /logs/stock-quotes/identity.json} with {@code
 * {"version":1,"log":"stock-quotes", "connector":"stock-quotes"}}
 */
public record LogOwner(String log, String connector) {
  static final String FILE_NAME = "identity.json";
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
    PutIfAbsent files = new PutIfAbsent(storage, logDirectory);
    if (before.stream().noneMatch(standing -> standing.path().equals(file))) {
      files.put(FILE_NAME, text());
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
    files.removeLeftovers(before, Set.of(FILE_NAME));
  }

  private byte[] text() throws IOException {
    return JSON.writerWithDefaultPrettyPrinter()
        .writeValueAsBytes(
            JSON.createObjectNode()
                .put("version", VERSION)
                .put("log", log)
                .put("connector", connector));
  }

  private static LogOwner read(Storage storage, StoragePath file)
      throws IOException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      JsonNode node = JSON.readTree(in.readAllBytes());
      FormatVersion.require(node, VERSION, storage.location() + file);
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
