package io.tidemark.connect.staging;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hidden directories inside a table's root in which one log's topic-partition stages its files:
 * one for each claim, so that a new owner stops a former one by removing its directory.
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

  private final StoragePath stagingRoot;
  private final String prefix;

  public StagingDirectories(StoragePath stagingRoot, String logId, TopicPartition topicPartition) {
    this.stagingRoot = stagingRoot;
    this.prefix = digest(logId + "/" + topicPartition) + "-";
  }

  /** The directory of the claim that is an entry's number and attempt. */
  public StoragePath of(long number, UUID claim) {
    return stagingRoot.child(prefix + String.format(NUMBER, number) + "-" + claim);
  }

  /**
   * Makes the directory of a claim; to be called when the claim has won and all entries before it
   * are published, which the directory then shows.
   */
  public StoragePath create(Storage storage, long number, UUID claim) throws IOException {
    StoragePath directory = of(number, claim);
    storage.makeDirectories(directory);
    return directory;
  }

  /**
   * Removes the directories of the claims before a number, with what was never committed. Those of
   * later claims stay: whoever calls this may have slept since its claim, and the files of a batch
   * that the next owner has committed may still be on their way into the table.
   */
  public void removeBefore(Storage storage, long number) throws IOException {
    String first = prefix + String.format(NUMBER, number);
    for (StoredFile other : storage.list(stagingRoot)) {
      String name = other.path().name();
      boolean stale = name.startsWith(prefix) && name.compareTo(first) < 0;
      if (stale && storage.deleteTree(other.path())) {
        LOG.info("removed {}, left by an earlier claim", other.path());
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
