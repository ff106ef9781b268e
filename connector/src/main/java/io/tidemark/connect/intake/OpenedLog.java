package io.tidemark.connect.intake;

import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.StagingDirectories;
import java.util.List;

/** A claimed log; {@code toRegister} has earlier batches that the catalog possibly lacks. */
public record OpenedLog(
    OwnedLog owned,
    StagingDirectories.OfClaim staging,
    RetainedOffsets retained,
    List<NumberedEntry<CommitEntry>> toRegister) {}
