package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes and registers the pending entries of a long log before the next claim, so that the log
 * can be folded. A task that fails after its claim, and is restarted repeatedly, would otherwise
 * add an entry with each restart. Thread-safe.
 */
public record LogBacklog(Recovery recovery, Optional<Registrar> registrar, int retained) {
  private static final Logger LOG = LoggerFactory.getLogger(LogBacklog.class);

  /** A folded log has fewer than twice the retained entries. */
  private static final int TIMES_RETAINED = 3;

  /** Returns whether a log with this last entry is longer than a folded log can be. */
  public boolean isIn(CommitLog log, NumberedEntry<CommitEntry> last) throws IOException {
    long mostEntries = (long) TIMES_RETAINED * retained;
    return last.number() > mostEntries && last.number() - log.checkpoint() > mostEntries;
  }

  /**
   * Publishes and registers pending entries as a new owner does, but without a claim. Any number of
   * tasks may do this, including the log's owner. After a refusal of the store or the catalog, a
   * claim would not help. The tables are as in {@link Recovery#recover}.
   *
   * @return the number up to which all entries are settled: the next owner may fold them at once,
   *     because it can fail before its own registrations end
   */
  public long finish(
      CommitLog log,
      NumberedEntry<CommitEntry> last,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException,
          CorruptLogException,
          PublishingRefusedException,
          CatalogConflictException {
    LogState state = last.entry().state();
    RecoveryPlan plan =
        recovery.publishWaiting(log, state, Long.MAX_VALUE, staging, present, listed);
    long settled = last.number();
    try {
      for (NumberedEntry<CommitEntry> entry : plan.register()) {
        CommitEntry.Batch batch = entry.entry().asBatch().orElseThrow();
        // Without a catalog, or with Hive partitions that readers do not see, more must be noted.
        if (registrar.isEmpty() || !registrar.get().register(batch).isEmpty()) {
          settled = Math.min(settled, entry.number() - 1);
        }
      }
      return settled;
    } catch (CatalogUnavailableException e) {
      LOG.info(
          "{}: the log stays long until the catalog answers: {}",
          log.directory(),
          PrintableText.messageOf(e));
      return state.registeredThrough();
    }
  }
}
