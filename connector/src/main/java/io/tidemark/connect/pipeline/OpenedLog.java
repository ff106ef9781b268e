package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicDirectory.HeldOffsets;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.storage.StoragePath;
import java.util.List;

/**
 * A topic-partition that is claimed and recovered: what consuming it begins with.
 *
 * @param stagingDirectory the claim's own
 * @param held the offsets that Kafka held when it was opened
 * @param toRegister batches of earlier claims that the catalog may not know yet
 */
record OpenedLog(
    OwnedLog owned,
    StoragePath stagingDirectory,
    HeldOffsets held,
    List<NumberedEntry> toRegister) {}
