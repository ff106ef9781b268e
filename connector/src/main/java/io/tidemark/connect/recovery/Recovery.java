package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.staging.StagingDirectories;
import io.tidemark.connect.storage.Storage;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables to where a log says that they are, after a new owner has claimed it: publishes
 * what was committed, and removes what never was.
 */
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Storage storage;
  private final Publisher publisher;

  public Recovery(Storage storage, Publisher publisher) {
    this.storage = storage;
    this.publisher = publisher;
  }

  /**
   * Recovers one topic-partition, and makes the staging directory of its new owner's claim.
   *
   * @return the plan that was carried out; its batches are still to be registered
   */
  public RecoveryPlan recover(OwnedLog owned, StagingDirectories staging)
      throws IOException, CorruptLogException, TableBlockedException {
    List<NumberedEntry> entries =
        owned.log().after(RecoveryPlan.readAfter(owned.state())).stream()
            .filter(entry -> entry.number() < owned.number())
            .toList();
    owned.published(lastRecovered(entries, staging));
    RecoveryPlan plan = RecoveryPlan.of(owned.state(), entries);
    for (NumberedEntry entry : plan.publish()) {
      LOG.info(
          "{}: publishing entry {} of an earlier claim", owned.log().directory(), entry.number());
      publisher.publishAgain(entry);
    }
    owned.published(owned.number());
    // It tells that everything before the claim is published, so it is there before those go that
    // told it until now.
    staging.create(storage, owned.number(), owned.claim());
    staging.removeBefore(storage, owned.number());
    owned.log().removeLeftovers(owned.number());
    return plan;
  }

  /**
   * The number of the last claim whose owner has recovered the log, which its staging directory
   * shows; 0 where none does. What was committed before it has been published, and may have been
   * removed from its table since by those who keep the table.
   */
  private long lastRecovered(List<NumberedEntry> entries, StagingDirectories staging)
      throws IOException {
    for (int i = entries.size() - 1; i >= 0; i--) {
      NumberedEntry entry = entries.get(i);
      if (entry.entry() instanceof CommitEntry.Claim claim
          && storage.find(staging.of(entry.number(), claim.attempt())).isPresent()) {
        return entry.number();
      }
    }
    return 0;
  }
}
