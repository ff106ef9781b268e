package io.tidemark.connect.intake;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.StandingLayouts;

/**
 * The services that a commit uses.
 *
 * @param retries the retries of calls of the store and of Kafka
 * @param monotonic the clock for intervals, pauses and deadlines
 */
public record CommitServices(
    Storage storage,
    TopicMetadata topics,
    StandingLayouts layouts,
    Publisher publisher,
    Retries retries,
    MonotonicClock monotonic) {}
