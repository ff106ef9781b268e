package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.io.IOException;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Keeps a log short: folds its old entries into checkpoints. Used by one thread at a time, which
 * may be another one than the owner's.
 */
public final class LogFolder {
  private final CommitLog log;
  private final int retained;
  private final Clock clock;
  private OptionalLong checkpoint = OptionalLong.empty();

  /**
   * For one claim of a log.
   *
   * @param retained how many entries stay, from 1
   */
  public LogFolder(CommitLog log, int retained, Clock clock) {
    this.log = log;
    this.retained = retained;
    this.clock = clock;
  }

  /**
   * Folds, once there are twice as many entries as are to stay.
   *
   * @param done the number of an entry: the files of all entries up to it are in their tables, and
   *     their Hive partitions in the catalog
   */
  public void fold(long done) throws IOException, CorruptLogException {
    if (checkpoint.isEmpty()) {
      checkpoint = OptionalLong.of(log.checkpoint());
    }
    long through = done - retained;
    if (through - checkpoint.getAsLong() >= retained) {
      LogState there = log.read(through).entry().state().withProgress(through, through);
      log.fold(through, new CommitEntry.Checkpoint(UUID.randomUUID(), there, clock.instant()));
      checkpoint = OptionalLong.of(through);
    }
  }
}
