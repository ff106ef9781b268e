package io.tidemark.store.commit;

import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Keeps a log short by folding its old entries into checkpoints. Not thread-safe. The calling
 * thread need not be the owner's thread.
 */
public final class LogFolder {
  private final CommitLog log;
  private final int retained;
  private final Clock clock;
  private OptionalLong checkpoint = OptionalLong.empty();

  /**
   * Creates a folder for one claim of a log.
   *
   * @param retained number of entries to retain, from 1
   */
  public LogFolder(CommitLog log, int retained, Clock clock) {
    this.log = log;
    this.retained = retained;
    this.clock = clock;
  }

  /**
   * Folds the log if it has at least twice the number of entries to retain.
   *
   * @param done number of an entry; this entry and all earlier entries are published, registered
   *     and accounted for in the ledger
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
