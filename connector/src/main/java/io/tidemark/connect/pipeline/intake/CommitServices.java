package io.tidemark.connect.pipeline.intake;

import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.pipeline.retry.Retries;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.recovery.StandingLayouts;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.time.MonotonicClock;

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
