package io.tidemark.connect.pipeline.opening;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.StagingDirectories;
import java.util.List;

/**
 * A topic-partition that is claimed and recovered: what consuming it begins with.
 *
 * @param staging the claim's staging directories
 * @param retained the offsets that Kafka retained when it was opened
 * @param toRegister batches of earlier claims that the catalog may not know yet
 */
public record OpenedLog(
    OwnedLog owned,
    StagingDirectories.OfClaim staging,
    RetainedOffsets retained,
    List<NumberedEntry<CommitEntry>> toRegister) {}
