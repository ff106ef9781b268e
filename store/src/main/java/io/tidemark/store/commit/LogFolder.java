package io.tidemark.store.commit;

import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.UUID;

/** Keeps a log short by folding old entries. Not thread-safe; any one thread may call it. */
public final class LogFolder {
  private final CommitLog log;
  private final int retained;
  private final Clock clock;
  private OptionalLong checkpoint = OptionalLong.empty();

  /** Creates a folder for one claim of a log, which retains so many entries: at least one. */
  public LogFolder(CommitLog log, int retained, Clock clock) {
    this.log = log;
    this.retained = retained;
    this.clock = clock;
  }

  /**
   * Folds the log if it has at least twice the number of entries to retain. All entries up to
   * {@code done} are published, registered and in an account.
   */
  public void fold(long done) throws IOException, CorruptLogException {
    if (checkpoint.isEmpty()) {
      checkpoint = OptionalLong.of(log.checkpoint());
    }
    long through = done - retained;
    if (through - checkpoint.getAsLong() >= retained) {
      CommitEntry replaced = log.read(through).entry();
      LogState there = replaced.state().withProgress(through, through);
      log.fold(
          through,
          new CommitEntry.Checkpoint(
              UUID.randomUUID(), replaced.attempt(), there, clock.instant()));
      checkpoint = OptionalLong.of(through);
    }
  }
}
