package io.tidemark.connect.intake;

import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.StagingDirectories;
import java.util.List;

/**
 * The claimed and recovered log of a topic-partition, ready for consuming.
 *
 * @param toRegister batches of earlier claims that are possibly not registered in the catalog
 */
public record OpenedLog(
    OwnedLog owned,
    StagingDirectories.OfClaim staging,
    RetainedOffsets retained,
    List<NumberedEntry<CommitEntry>> toRegister) {}
