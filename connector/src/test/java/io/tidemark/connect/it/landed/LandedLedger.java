package io.tidemark.connect.it.landed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.WebHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ledger of a connector, read from its files in HDFS. */
public final class LandedLedger {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Example: {@code 00000000000000000042.json}, or {@code 00000000000000000042.checkpoint.json}.
   */
  private static final Pattern ENTRY = Pattern.compile("(\\d{20})(\\.checkpoint)?\\.json");

  private final WebHdfs hdfs;
  private final String directory;

  public LandedLedger(LocalStack services, String logId) {
    this.hdfs = services.hdfs().files();
    this.directory = "/ledger/logs/" + logId + "/log";
  }

  /**
   * An entry, or a checkpoint.
   *
   * @param came the time at which it was appended, by the name node's clock
   */
  public record Entry(long number, JsonNode json, Instant came) {

    public boolean is(String type) {
      return json.path("type").asText().equals(type);
    }

    public JsonNode state() {
      return json.path("state");
    }

    /** The process of the worker that made a claim. Example: {@code 4711}, of {@code 4711@host}. */
    public long claimingProcess() {
      String worker = json.path("worker").asText();
      return Long.parseLong(worker.substring(0, worker.indexOf('@')));
    }
  }

  /** All entries that are not folded, in order. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (WebHdfs.Entry file : files()) {
      read(file).ifPresent(entries::add);
    }
    return entries;
  }

  /** The last entry; empty while there is no ledger. */
  public Optional<Entry> last() {
    List<WebHdfs.Entry> files = files();
    for (int i = files.size() - 1; i >= 0; i--) {
      Optional<Entry> entry = read(files.get(i));
      if (entry.isPresent()) {
        return entry;
      }
    }
    return Optional.empty();
  }

  private List<WebHdfs.Entry> files() {
    try {
      return hdfs.list(directory).stream()
          .filter(file -> ENTRY.matcher(name(file)).matches())
          .sorted(Comparator.comparing(LandedLedger::name))
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(directory, e);
    }
  }

  /** Empty if it was folded meanwhile. */
  private Optional<Entry> read(WebHdfs.Entry file) {
    Matcher name = ENTRY.matcher(name(file));
    if (!name.matches()) {
      throw new IllegalArgumentException(file + " is no entry");
    }
    try {
      return Optional.of(
          new Entry(
              Long.parseLong(name.group(1)),
              JSON.readTree(hdfs.read(file.path())),
              file.modified()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(file.path(), e);
    }
  }

  private static String name(WebHdfs.Entry file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }
}
