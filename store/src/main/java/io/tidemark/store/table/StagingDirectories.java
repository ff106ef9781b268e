package io.tidemark.store.table;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
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
  private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

  /** Numbers have a fixed width, so that names sort as numbers do. */
  private static final String NUMBER = "%020d";

  private static final String MARK = "published+";
  private static final Pattern MARK_NAME = Pattern.compile(Pattern.quote(MARK) + "(\\d{20})");

  private final Storage storage;
  private final String prefix;

  public StagingDirectories(Storage storage, String logId, TopicPartition topicPartition) {
    this.storage = storage;
    this.prefix = digest(logId + "/" + topicPartition) + "-";
  }

  /**
   * Returns whether a claim's directory name belongs to this topic-partition. A claim's directories
   * have the same name in every table.
   */
  public boolean isOfClaim(String name) {
    return name.startsWith(prefix);
  }

  /** The directories of one claim: one for each table. */
  public final class OfClaim {
    private final String name;

    private OfClaim(String name) {
      this.name = name;
    }

    /** Returns the name of the claim's directory, which is the same in every table. */
    public String name() {
      return name;
    }

    /** Returns whether a name belongs to an earlier claim on the same topic-partition. */
    boolean follows(String other) {
      return other.startsWith(prefix) && other.compareTo(name) < 0;
    }

    /** Returns the path of the directory in a table. */
    public StoragePath in(TableLayout table) {
      return table.stagingRoot().child(name);
    }

    /** Returns whether the directory in a table exists. */
    public boolean existsIn(TableLayout table) throws IOException {
      return storage.find(in(table)).isPresent();
    }

    /**
     * Creates the directory in a table. Call it after the claim is appended and all entries before
     * it are published: the directory's existence proves this.
     */
    public void createIn(TableLayout table) throws IOException {
      storage.makeDirectories(in(table));
    }
  }

  /** Returns the directories of a claim by its entry's number and UUID. */
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

  /**
   * Returns a table's directories of the claims before a number, which {@link #removeBefore}
   * removes.
   */
  public List<StoragePath> before(long number, TableLayout table) throws IOException {
    String first = prefix + String.format(NUMBER, number);
    return storage.list(table.stagingRoot()).stream()
        .map(StoredFile::path)
        .filter(path -> path.name().startsWith(prefix) && path.name().compareTo(first) < 0)
        .toList();
  }

  /**
   * Returns the path of an entry's mark: an empty file in the directory of the entry's staged
   * files. The mark is created before the first file is published, and proves that the log has
   * reached the entry. A log without the entry was restored from an older copy.
   *
   * @param claim the directory of the entry's claim in a table
   */
  public static StoragePath mark(StoragePath claim, long entry) {
    return claim.child(MARK + String.format(NUMBER, entry));
  }

  /** Returns whether a claim's directory has the mark of an entry or of a later entry. */
  public static boolean isMarked(Storage storage, StoragePath claim, long entry)
      throws IOException {
    return isMarked(storage.list(claim), entry);
  }

  /**
   * Returns whether a claim's directory with these files has the mark of an entry or a later one.
   */
  public static boolean isMarked(List<StoredFile> files, long entry) {
    for (StoredFile file : files) {
      Matcher mark = MARK_NAME.matcher(file.path().name());
      if (mark.matches() && Long.parseLong(mark.group(1)) >= entry) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the highest number of an entry of the log that the directories in a table prove; 0 if
   * they prove none.
   */
  public long highestEntry(TableLayout table) throws IOException {
    long highest = 0;
    Pattern ours = Pattern.compile(Pattern.quote(prefix) + "(\\d{20})-.*");
    for (StoredFile claim : storage.list(table.stagingRoot())) {
      Matcher name = ours.matcher(claim.path().name());
      if (name.matches()) {
        highest = Math.max(highest, Long.parseLong(name.group(1)));
        for (StoredFile file : storage.list(claim.path())) {
          Matcher mark = MARK_NAME.matcher(file.path().name());
          if (mark.matches()) {
            highest = Math.max(highest, Long.parseLong(mark.group(1)));
          }
        }
      }
    }
    return highest;
  }

  /**
   * Removes the directories and marks that prove entries after a number, with the files staged for
   * these entries. Used for a log that continues at the number with an operator's consent. The
   * topic-partition must have no owner meanwhile.
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
        Matcher mark = MARK_NAME.matcher(file.path().name());
        if (mark.matches() && Long.parseLong(mark.group(1)) > number) {
          storage.delete(file.path());
        }
      }
    }
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
