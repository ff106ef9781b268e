package io.tidemark.connect.table;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hidden directories inside the roots of tables in which one log's topic-partition stages its
 * files: one for each claim and table, so that a new owner stops a former one by removing its
 * directories.
 *
 * <p>Example: {@code
 * /topics/quotes/.staging/5f1d7a84bd2e0c13-00000000000000000042-0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11},
 * where the first part stands for the log and the topic-partition, the second is the number of the
 * claim in the log, and the third its UUID.
 */
public final class StagingDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

  /** So many digits that names sort as numbers do. */
  private static final String NUMBER = "%020d";

  private static final String MARK = "published+";
  private static final Pattern MARK_NAME = Pattern.compile(Pattern.quote(MARK) + "(\\d{20})");

  private final Storage storage;
  private final String prefix;

  public StagingDirectories(Storage storage, String logId, TopicPartition topicPartition) {
    this.storage = storage;
    this.prefix = digest(logId + "/" + topicPartition) + "-";
  }

  /** Whether a claim, by the name that it has in every table, is on the topic-partition. */
  public boolean isOfClaim(String name) {
    return name.startsWith(prefix);
  }

  /** Those of one claim: a directory for each table. */
  public final class OfClaim {
    private final String name;

    private OfClaim(String name) {
      this.name = name;
    }

    /** The name that the claim has in every table. */
    public String name() {
      return name;
    }

    /** Whether a name is that of an earlier claim on the same topic-partition. */
    boolean follows(String other) {
      return other.startsWith(prefix) && other.compareTo(name) < 0;
    }

    /** The directory in a table. */
    public StoragePath in(TableLayout table) {
      return table.stagingRoot().child(name);
    }

    /** Whether the directory in a table is there. */
    public boolean existsIn(TableLayout table) throws IOException {
      return storage.find(in(table)).isPresent();
    }

    /**
     * Makes the directory in a table; to be called when the claim has won and all entries before it
     * are published, which the directory then shows.
     */
    public void createIn(TableLayout table) throws IOException {
      storage.makeDirectories(in(table));
    }
  }

  /** The directories of the claim that is an entry's number and attempt. */
  public OfClaim ofClaim(long number, UUID claim) {
    return new OfClaim(prefix + String.format(NUMBER, number) + "-" + claim);
  }

  /**
   * Removes a table's directories of the claims before a number, with what was never committed.
   * Those of later claims stay: whoever calls this may have slept since its claim, and the files of
   * a batch that the next owner has committed may still be on their way into the table.
   */
  public void removeBefore(long number, TableLayout table) throws IOException {
    for (StoragePath stale : before(number, table)) {
      if (storage.deleteTree(stale)) {
        LOG.info("removed {}, left by an earlier claim", stale);
      }
    }
  }

  /** A table's directories of the claims before a number, which {@link #removeBefore} removes. */
  public List<StoragePath> before(long number, TableLayout table) throws IOException {
    String first = prefix + String.format(NUMBER, number);
    return storage.list(table.stagingRoot()).stream()
        .map(StoredFile::path)
        .filter(path -> path.name().startsWith(prefix) && path.name().compareTo(first) < 0)
        .toList();
  }

  /**
   * The empty file beside an entry's staged files that shows, before the first of them is
   * published, that the log has come to that entry: a log that has not was restored from an older
   * copy.
   *
   * @param claim the directory of the entry's claim in a table
   */
  public static StoragePath mark(StoragePath claim, long entry) {
    return claim.child(MARK + String.format(NUMBER, entry));
  }

  /** Whether the directory of a claim shows that an entry, or a later one, was being published. */
  public static boolean isMarked(Storage storage, StoragePath claim, long entry)
      throws IOException {
    for (StoredFile file : storage.list(claim)) {
      Matcher mark = MARK_NAME.matcher(file.path().name());
      if (mark.matches() && Long.parseLong(mark.group(1)) >= entry) {
        return true;
      }
    }
    return false;
  }

  /** The highest number of an entry that a table shows the log to have had; 0 where none does. */
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
   * Removes what shows entries after a number, with what was staged for them: of a log that an
   * operator lets go on from there. Nobody may own the topic-partition meanwhile.
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
