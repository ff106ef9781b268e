package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.Succession;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables to where a log says that they are, after a new owner has claimed it: publishes
 * what was committed, and removes what never was.
 */
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Publisher publisher;

  public Recovery(Publisher publisher) {
    this.publisher = publisher;
  }

  /**
   * Recovers one topic-partition, and makes the staging directories of its new owner's claim.
   *
   * @param present the tables in which the new owner stages
   * @param listed the tables in which any owner has staged, those present among them
   * @return the plan that was carried out; its batches are still to be registered
   */
  public RecoveryPlan recover(
      OwnedLog owned,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException, CorruptLogException, TableBlockedException {
    RecoveryPlan plan =
        publishWaiting(owned.log(), owned.state(), owned.number(), staging, present, listed);
    owned.published(owned.number());
    // These show that everything before the claim is published, so they are there before those go
    // that showed it until now.
    StagingDirectories.OfClaim ours = staging.ofClaim(owned.number(), owned.claim());
    for (TableLayout table : present) {
      ours.createIn(table);
    }
    for (TableLayout table : present) {
      staging.removeBefore(owned.number(), table);
    }
    for (TableLayout former : listed) {
      if (!present.contains(former)) {
        removeFrom(former, owned, staging);
      }
    }
    owned.log().removeLeftovers(owned.number());
    return plan;
  }

  /**
   * Publishes what was committed before a claim, or before any, and is not published.
   *
   * @param before the number of the claim
   * @param present the tables that must be readable
   * @return the plan that was carried out
   */
  RecoveryPlan publishWaiting(
      CommitLog log,
      LogState state,
      long before,
      StagingDirectories staging,
      Collection<TableLayout> present,
      Collection<TableLayout> listed)
      throws IOException, CorruptLogException, TableBlockedException {
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

  /** What is left in a former root is only in the way: a root that is locked stops no landing. */
  private static void removeFrom(TableLayout former, OwnedLog owned, StagingDirectories staging) {
    try {
      staging.removeBefore(owned.number(), former);
    } catch (IOException e) {
      LOG.warn(
          "{}: staged files of earlier claims may be left below {}, a former root of a table: {}",
          owned.log().directory(),
          former.root(),
          PrintableText.of(e));
    }
  }

  /**
   * What staging directories show of the claims before.
   *
   * @param claim the number of the last claim whose owner has recovered the log; 0 where none does
   * @param unread why a former root of a table could not be looked at, which may show a later one
   */
  private record Shown(long claim, Optional<IOException> unread) {}

  /**
   * Finds the last claim whose owner has recovered the log, which a staging directory of it in any
   * table shows. What was committed before it has been published, and may have been removed from
   * its table since by those who keep the table.
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
      Optional<UUID> claim =
          entry
              .entry()
              .match(
                  made -> Optional.of(made.attempt()),
                  batch -> Optional.empty(),
                  skip -> Optional.empty(),
                  checkpoint -> Optional.empty());
      if (claim.isEmpty()) {
        continue;
      }
      for (TableLayout table : listed) {
        try {
          if (staging.ofClaim(entry.number(), claim.get()).existsIn(table)) {
            return new Shown(entry.number(), unread);
          }
        } catch (IOException e) {
          if (present.contains(table)) {
            throw e;
          }
          unread = Optional.of(unreadable(table, e));
        }
      }
    }
    return new Shown(0, unread);
  }

  private static IOException unreadable(TableLayout former, IOException failure) {
    return new IOException(
        former.root()
            + ", a former root of a table, cannot be read: "
            + PrintableText.of(failure)
            + ". Make it readable for the connector's user",
        failure);
  }

  /**
   * Publishes an entry. A former root that cannot be read matters only where a file is missing: it
   * may show that the file was published, and that others have removed it since.
   */
  private void publish(NumberedEntry<CommitEntry> entry, Shown shown)
      throws IOException, TableBlockedException {
    try {
      publisher.publishAgain(entry);
    } catch (TableBlockedException e) {
      if (shown.unread().isPresent()) {
        IOException unread = shown.unread().get();
        throw new IOException(
            unread.getMessage()
                + ": it may show that log entry "
                + entry.number()
                + " has been published. Until then: "
                + e.getMessage(),
            unread);
      }
      throw e;
    }
  }
}
