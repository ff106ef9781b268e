package io.tidemark.connect.pipeline.opening;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.StagingDirectories;
import java.util.List;

/**
 * The claimed and recovered log of a topic-partition, ready for consuming.
 *
 * @param staging the claim's staging directories
 * @param retained the offsets that Kafka retained at the opening
 * @param toRegister batches of earlier claims that are possibly not registered in the catalog
 */
public record OpenedLog(
    OwnedLog owned,
    StagingDirectories.OfClaim staging,
    RetainedOffsets retained,
    List<NumberedEntry<CommitEntry>> toRegister) {}
