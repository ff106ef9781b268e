package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.Succession;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes tables match a log after a claim: publishes what is committed, and removes the rest. */
public record Recovery(Publisher publisher) {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /**
   * Recovers one topic-partition, and creates the staging directories of its new owner's claim.
   * Returns the plan that was executed; its batches are not registered yet.
   *
   * @param present tables in which the new owner stages files
   * @param listed tables in which any owner has staged files, including {@code present}
   */
  public RecoveryPlan recover(
      OwnedLog owned,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException, CorruptLogException, PublishingRefusedException {
    RecoveryPlan plan =
        publishWaiting(owned.log(), owned.state(), owned.number(), staging, present, listed);
    owned.published(owned.number());
    // Create this claim's staging directories before those of earlier claims are deleted. The
    // existence of the new directories proves that all entries before the claim are published.
    StagingDirectories.OfClaim ours = staging.ofClaim(owned.number(), owned.claim());
    for (TableLayout table : present) {
      ours.createIn(table);
    }
    for (TableLayout table : present) {
      staging.removeBefore(owned.number(), table);
    }
    for (TableLayout former : listed) {
      if (!present.contains(former)) {
        removeFrom(former, ours, owned, staging);
      }
    }
    owned.log().removeLeftovers(owned.number());
    return plan;
  }

  /**
   * Publishes the unpublished entries below {@code before}; {@link Long#MAX_VALUE} for all. Needs
   * no claim: it only repeats what any owner does. Returns the plan that was executed.
   */
  public RecoveryPlan publishWaiting(
      CommitLog log,
      LogState state,
      long before,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException, CorruptLogException, PublishingRefusedException {
    List<NumberedEntry<CommitEntry>> entries =
        log.after(RecoveryPlan.readAfter(state)).stream()
            .filter(entry -> entry.number() < before)
            .toList();
    Succession.require(log.directory(), entries);
    Shown shown = lastRecovered(entries, staging, present, listed);
    RecoveryPlan plan =
        RecoveryPlan.of(
            state.withProgress(
                Math.max(state.publishedThrough(), shown.claim()), state.registeredThrough()),
            entries);
    for (NumberedEntry<CommitEntry> entry : plan.publish()) {
      LOG.info("{}: publishing entry {} of an earlier claim", log.directory(), entry.number());
      publish(entry, shown);
    }
    return plan;
  }

  /**
   * Replaces the directories of earlier claims by this claim's, which shows a log that is older.
   * Leftover files in a former root are harmless, so a failure only logs a warning.
   */
  private static void removeFrom(
      TableLayout former,
      StagingDirectories.OfClaim ours,
      OwnedLog owned,
      StagingDirectories staging) {
    try {
      if (!staging.before(owned.number(), former).isEmpty()) {
        ours.createIn(former);
      }
      staging.removeBefore(owned.number(), former);
    } catch (IOException e) {
      LOG.warn(
          "{}: staged files of earlier claims may remain below {}, a former root of a table: {}",
          owned.log().directory(),
          former.root(),
          PrintableText.of(e));
    }
  }

  /**
   * The last claim whose owner has recovered the log, 0 if there is none; and the failure to read a
   * former root, which may have the staging directory of a later claim.
   */
  private record Shown(long claim, Optional<IOException> unread) {}

  /**
   * Finds the newest claim that has a staging directory in any table. The owner of that claim has
   * recovered the log, so all entries before the claim were published. An operator may have removed
   * their files from the tables since then.
   */
  private static Shown lastRecovered(
      List<NumberedEntry<CommitEntry>> entries,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException {
    Optional<IOException> unread = Optional.empty();
    for (int i = entries.size() - 1; i >= 0; i--) {
      NumberedEntry<CommitEntry> entry = entries.get(i);
      if (!entry.entry().isClaim()) {
        continue;
      }
      for (TableLayout table : listed) {
        try {
          if (staging.ofClaim(entry.number(), entry.entry().attempt()).existsIn(table)) {
            return new Shown(entry.number(), unread);
          }
        } catch (IOException e) {
          if (present.contains(table)) {
            throw e;
          }
          unread =
              Optional.of(
                  new IOException(
                      "%s, a former root of a table, cannot be read: %s. Make it readable for the connector's user"
                          .formatted(table.root(), PrintableText.of(e)),
                      e));
        }
      }
    }
    return new Shown(0, unread);
  }

  /**
   * Publishes an entry. If a file is missing, a former root may contain the staging directory that
   * proves that the file was published and later removed by another program. So an unreadable
   * former root is an error only if a file is missing.
   */
  private void publish(NumberedEntry<CommitEntry> entry, Shown shown)
      throws IOException, PublishingRefusedException {
    try {
      publisher.publishAgain(entry);
    } catch (PublishingRefusedException e) {
      if (shown.unread().isPresent()) {
        IOException unread = shown.unread().get();
        throw new IOException(
            "%s: only then can the task find out whether log entry %d was published. Do not act on the following error before: %s"
                .formatted(unread.getMessage(), entry.number(), e.getMessage()),
            unread);
      }
      throw e;
    }
  }
}
