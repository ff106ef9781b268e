package io.tidemark.connect.intake;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.StandingLayouts;

/** What a commit uses. */
public record CommitServices(
    Storage storage,
    TopicMetadata topics,
    StandingLayouts layouts,
    Publisher publisher,
    Retries retries,
    MonotonicClock monotonic) {}
