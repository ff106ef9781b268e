package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.OwnedLog;
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
   * Recovers one topic-partition.
   *
   * @return the plan that was carried out; its batches are still to be registered
   */
  public RecoveryPlan recover(OwnedLog owned, StagingDirectories staging)
      throws IOException, CorruptLogException, TableBlockedException {
    List<NumberedEntry> entries =
        owned.log().after(RecoveryPlan.readAfter(owned.state())).stream()
            .filter(entry -> entry.number() < owned.number())
            .toList();
    RecoveryPlan plan = RecoveryPlan.of(owned.state(), entries);
    for (NumberedEntry entry : plan.publish()) {
      LOG.info(
          "{}: publishing entry {} of an earlier claim", owned.log().directory(), entry.number());
      publisher.publish(entry);
    }
    owned.published(owned.number());
    staging.removeBefore(storage, owned.number());
    owned.log().removeLeftovers(owned.number());
    return plan;
  }
}
