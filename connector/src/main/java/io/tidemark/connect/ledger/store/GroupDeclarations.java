package io.tidemark.connect.ledger.store;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.FormatVersion;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * Which log declares each group of tables: a file that is put there once, so that one name never
 * stands for the groups of two connectors. Safe for use by many threads and processes.
 *
 * <p>Example: {@code /ledger/groups/sales.json} with {@code
 * {"version":1,"group":"sales","log":"sales"}}
 */
public final class GroupDeclarations {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  // Example: sales_eu-1. A leading dot would be one of a temporary file.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}");

  private final Storage storage;
  private final StoragePath directory;
  private final String logId;

  /** The declarations of one log's connector. */
  public GroupDeclarations(Storage storage, LedgerFolders folders) {
    this.storage = storage;
    this.directory = folders.groups();
    this.logId = folders.logId();
  }

  /** Whose group it is. */
  public sealed interface Declared {

    /** This log's. */
    record Ours() implements Declared {}

    /**
     * Another log's: this one may say nothing of a group of that name.
     *
     * @param log the other log
     * @param problem place, problem, cause and cure, for people
     */
    record Theirs(String log, String problem) implements Declared {}
  }

  /**
   * Declares a group for this log, unless a log has declared one of its name.
   *
   * @throws IllegalArgumentException a group cannot have this name
   * @throws IOException the store is away: try again
   * @throws CorruptLogException what stands there cannot be read
   */
  public Declared declare(String group) throws IOException, CorruptLogException {
    if (!NAME.matcher(group).matches()) {
      throw new IllegalArgumentException(
          "completeness.groups: \"%s\" cannot be a group's name, which is a name of a file. Take letters, digits, '_', '-' and '.', at most 200."
              .formatted(PrintableText.of(group)));
    }
    String name = group + ".json";
    StoragePath file = directory.child(name);
    if (storage.find(file).isEmpty()) {
      boolean put =
          new PutIfAbsent(storage, directory)
              .put(
                  name,
                  JSON.writeValueAsBytes(
                      JSON.createObjectNode()
                          .put("version", VERSION)
                          .put("group", group)
                          .put("log", logId)));
      if (put) {
        return new Declared.Ours();
      }
    }
    String log = log(file);
    return log.equals(logId)
        ? new Declared.Ours()
        : new Declared.Theirs(
            log,
            "%s%s: the group %s is declared by the log %s, so the log %s does not say whether it is complete. Two connectors declare one name. Give the group another name in completeness.groups, or take it out there; to hand the name over, stop the other connector and remove the file."
                .formatted(storage.location(), file, group, PrintableText.line(log), logId));
  }

  private String log(StoragePath file) throws IOException, CorruptLogException {
    String place = storage.location() + file;
    try (InputStream in = storage.open(file)) {
      JsonNode node = JSON.readTree(in.readAllBytes());
      FormatVersion.require(node, VERSION, place);
      return node.required("log").asText();
    } catch (JacksonException | IllegalArgumentException e) {
      throw new CorruptLogException(
          "%s: the declaration of the group cannot be read: %s. The file was damaged or edited. Remove it: the next connector that declares the group puts it anew."
              .formatted(place, PrintableText.line(String.valueOf(e.getMessage()))),
          e);
    }
  }
}
