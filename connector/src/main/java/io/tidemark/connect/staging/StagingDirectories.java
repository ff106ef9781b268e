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
 * /topics/quotes/.staging/5f1d7a84bd2e0c13-0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11}, where the first
 * part stands for the log and the topic-partition, and the second is the claim.
 */
public final class StagingDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

  private final StoragePath stagingRoot;
  private final String prefix;

  public StagingDirectories(StoragePath stagingRoot, String logId, TopicPartition topicPartition) {
    this.stagingRoot = stagingRoot;
    this.prefix = digest(logId + "/" + topicPartition) + "-";
  }

  /** The directory of a claim. */
  public StoragePath of(UUID claim) {
    return stagingRoot.child(prefix + claim);
  }

  /** Makes the directory of a claim; to be called once, when the claim has won. */
  public StoragePath create(Storage storage, UUID claim) throws IOException {
    StoragePath directory = of(claim);
    storage.makeDirectories(directory);
    return directory;
  }

  /**
   * Removes the directories of all other claims on this topic-partition, with what was never
   * committed.
   */
  public void removeOthers(Storage storage, UUID claim) throws IOException {
    for (StoredFile other : storage.list(stagingRoot)) {
      boolean stale = other.path().name().startsWith(prefix) && !other.path().equals(of(claim));
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
