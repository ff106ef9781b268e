package io.tidemark.store.commit;

import io.tidemark.store.PrintableText;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a log short by folding old entries. Not thread-safe; any one thread may call it. */
public final class LogFolding {
  private static final Logger LOG = LoggerFactory.getLogger(LogFolding.class);

  /** An append lists the log, so a longer one would slow landing in an outage of the ledger. */
  static final int UNREAD_MOST = 900;

  private final CommitLog log;
  private final int retained;
  private final Clock clock;
  private final Ledger ledger;
  private OptionalLong checkpoint = OptionalLong.empty();

  /** Up to where the ledger has read a log; {@code attempt} is that of the entry there. */
  public record Released(long number, Optional<UUID> attempt) {
    /** There is no ledger. */
    public static final Released ALL = new Released(Long.MAX_VALUE, Optional.empty());

    /** The ledger has read nothing. */
    public static final Released NONE = new Released(0, Optional.empty());
  }

  @FunctionalInterface
  public interface Ledger {
    Released released() throws IOException;
  }

  /** Creates a folder for one claim of a log, which retains so many entries: at least one. */
  public LogFolding(CommitLog log, int retained, Clock clock, Ledger ledger) {
    this.log = log;
    this.retained = retained;
    this.clock = clock;
    this.ledger = ledger;
  }

  /** Folds the log as {@link #fold}; only logs a failure, because records land nevertheless. */
  public void foldIfPossible(long settled) throws CorruptLogException {
    try {
      fold(settled);
    } catch (IOException e) {
      LOG.warn(
          "{}: the log could not be folded and grows until it can: {}",
          log.directory(),
          PrintableText.messageOf(e));
    }
  }

  /**
   * Folds the log if it has at least twice the number of entries to retain, and the ledger has read
   * the others. Without the ledger, a long log is folded nevertheless.
   *
   * @param settled the entries up to this number are published and registered
   */
  public void fold(long settled) throws IOException, CorruptLogException {
    if (checkpoint.isEmpty()) {
      checkpoint = OptionalLong.of(log.checkpoint());
    }
    long folded = checkpoint.getAsLong();
    if (settled - folded < 2L * retained) {
      return;
    }
    long through = Math.min(settled, released(folded)) - retained;
    if (settled - folded >= Math.max(UNREAD_MOST, 2L * retained)) {
      through = Math.max(through, folded + retained);
    }
    if (through - folded >= retained) {
      CommitEntry replaced = log.read(through).entry();
      LogState there = replaced.state().withProgress(through, through);
      log.fold(
          through,
          new CommitEntry.Checkpoint(
              UUID.randomUUID(), replaced.attempt(), there, clock.instant()));
      checkpoint = OptionalLong.of(through);
    }
  }

  /** Returns what is released of this log, not of one that was restored from a copy since then. */
  private long released(long folded) throws IOException, CorruptLogException {
    Released released = ledger.released();
    boolean valid =
        released.attempt().isEmpty()
            || (released.number() > folded
                && released
                    .attempt()
                    .equals(log.find(released.number()).map(each -> each.entry().attempt())));
    return valid ? released.number() : 0;
  }
}
