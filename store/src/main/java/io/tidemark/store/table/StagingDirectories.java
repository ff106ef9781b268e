package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hidden directories in which files of one topic-partition of a log are staged: one for each
 * claim and table, inside the table's root. A new owner stops a former owner by removing the former
 * owner's directories.
 *
 * <p>Example: {@code
 * /topics/quotes/.staging/5f1d7a84bd2e0c13-00000000000000000042-0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11}.
 * The first part is a hash of {@code log.id} and the topic-partition. The second is the number of
 * the claim in the commit log, and the third is the claim's UUID.
 */
public final class StagingDirectories {
  /** What to do if only a part of a connector was removed. */
  public static final String REMOVED =
      "If the connector was removed on purpose, also remove what remains of it, with hidden directories: docs/OPERATIONS.md, \"Removal of a connector\".";

  private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

  /** Numbers have a fixed width, so that names sort as numbers do. */
  private static final String NUMBER = "%020d";

  private static final String MARKER = "published+";
  private static final Pattern MARKER_NAME = Pattern.compile(Pattern.quote(MARKER) + "(\\d{20})");

  private final Storage storage;
  private final Listings listings;
  private final String prefix;

  /** Lists directories that have names of all topic-partitions. */
  public interface Listings {
    List<StoredFile> list(StoragePath directory) throws IOException;
  }

  public StagingDirectories(Storage storage, String logId, TopicPartition topicPartition) {
    this(storage, storage::list, logId, topicPartition);
  }

  public StagingDirectories(
      Storage storage, Listings listings, String logId, TopicPartition topicPartition) {
    this.storage = storage;
    this.listings = listings;
    this.prefix = TableLayout.hash(logId + "/" + topicPartition) + "-";
  }

  /** Returns whether a directory name, the same in every table, is of this topic-partition. */
  public boolean isOfClaim(String name) {
    return name.startsWith(prefix);
  }

  public final class OfClaim {
    private final String name;

    private OfClaim(String name) {
      this.name = name;
    }

    /** The same in every table. */
    public String name() {
      return name;
    }

    /** Returns whether a name belongs to an earlier claim on the same topic-partition. */
    boolean follows(String other) {
      return other.startsWith(prefix) && other.compareTo(name) < 0;
    }

    public StoragePath in(TableLayout table) {
      return table.stagingRoot().child(name);
    }

    public boolean existsIn(TableLayout table) throws IOException {
      return storage.find(in(table)).isPresent();
    }

    /**
     * Creates the directory in a table. Call it after the claim is appended and all entries before
     * it are published: the directory's existence shows this.
     */
    public void createIn(TableLayout table) throws IOException {
      storage.makeDirectories(in(table));
    }
  }

  /** {@code number} is that of the claim's entry. */
  public OfClaim ofClaim(long number, UUID claim) {
    return new OfClaim(prefix + String.format(NUMBER, number) + "-" + claim);
  }

  /**
   * Removes a table's directories of all claims before a number, with their uncommitted files.
   * Directories of later claims stay, because the caller may have been suspended after its claim.
   * The next owner may have committed files that are not published yet.
   */
  public void removeBefore(long number, TableLayout table) throws IOException {
    for (StoragePath stale : before(number, table)) {
      if (storage.deleteTree(stale)) {
        LOG.info("removed {} of an earlier claim", stale);
      }
    }
  }

  /** Returns the directories that {@link #removeBefore} removes. */
  public List<StoragePath> before(long number, TableLayout table) throws IOException {
    String first = prefix + String.format(NUMBER, number);
    return listings.list(table.stagingRoot()).stream()
        .map(StoredFile::path)
        .filter(path -> path.name().startsWith(prefix) && path.name().compareTo(first) < 0)
        .toList();
  }

  /**
   * Returns the path of an entry's marker file: an empty file in the claim's directory. It is
   * created before the first file is published, and shows that the log has reached the entry. A log
   * without the entry was restored from an older copy.
   */
  public static StoragePath marker(StoragePath claim, long entry) {
    return claim.child(MARKER + String.format(NUMBER, entry));
  }

  /** Returns whether a claim's files include the marker file of an entry or of a later one. */
  public static boolean hasMarker(List<StoredFile> files, long entry) {
    return files.stream().anyMatch(file -> marked(file) >= entry);
  }

  /** Returns the number of the entry whose marker file this is; -1 for another file. */
  private static long marked(StoredFile file) {
    Matcher marker = MARKER_NAME.matcher(file.path().name());
    return marker.matches() ? Long.parseLong(marker.group(1)) : -1;
  }

  /** The highest entry, or 0; the directory of the newest claim, or empty; and the markers. */
  public record Shown(long entry, String claim, List<StoredFile> markers) {}

  /** Returns what each table shows. A former root that cannot be read only causes a warning. */
  public Map<TableLayout, Shown> shown(
      Collection<TableLayout> tables, Collection<TableLayout> present) throws IOException {
    Map<TableLayout, Shown> shown = new LinkedHashMap<>();
    for (TableLayout table : tables) {
      try {
        shown.put(table, shown(table));
      } catch (IOException e) {
        if (present.contains(table)) {
          throw e;
        }
        LOG.warn(
            "{}, a former root of a table, cannot be read: {}", table.root(), PrintableText.of(e));
      }
    }
    return shown;
  }

  private Shown shown(TableLayout table) throws IOException {
    long highest = 0;
    String newest = "";
    Pattern ours = Pattern.compile(Pattern.quote(prefix) + "(\\d{20})-.*");
    for (StoredFile claim : listings.list(table.stagingRoot())) {
      Matcher name = ours.matcher(claim.path().name());
      if (name.matches()) {
        newest = newest.compareTo(name.group()) < 0 ? name.group() : newest;
        highest = Math.max(highest, Long.parseLong(name.group(1)));
        for (StoredFile file : storage.list(claim.path())) {
          highest = Math.max(highest, marked(file));
        }
      }
    }
    return new Shown(
        highest, newest, listings.list(table.metadataDirectory().child(MarkerFiles.DIRECTORY)));
  }

  /**
   * Removes the directories and marker files of entries after a number, for a log that continues
   * there with an operator's consent. The topic-partition must have no owner meanwhile.
   */
  public void removeAfter(long number, TableLayout table) throws IOException {
    String last = prefix + String.format(NUMBER, number + 1);
    for (StoredFile claim : storage.list(table.stagingRoot())) {
      String name = claim.path().name();
      if (!name.startsWith(prefix)) {
        continue;
      }
      if (name.compareTo(last) >= 0) {
        storage.deleteTree(claim.path());
        continue;
      }
      for (StoredFile file : storage.list(claim.path())) {
        if (marked(file) > number) {
          storage.delete(file.path());
        }
      }
    }
  }
}
