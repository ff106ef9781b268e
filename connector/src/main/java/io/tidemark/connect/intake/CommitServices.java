package io.tidemark.connect.intake;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.LayoutComparison;
import io.tidemark.store.publish.Publisher;

/** What a commit uses. */
public record CommitServices(
    Storage storage,
    TopicMetadata topics,
    LayoutComparison layouts,
    Publisher publisher,
    Retries retries,
    MonotonicClock monotonic) {}
