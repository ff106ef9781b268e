package io.tidemark.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A table or a group, and how far it is complete; or a topic that has no table of its own.
 *
 * @param kind {@code table}, {@code group} or {@code topic}
 * @param name {@code default.orders}, or the group's, or the topic's
 * @param through all up to here is complete; empty where nothing ever was
 * @param askedAt when Kafka was asked for the end offsets of which this is true: of the earliest of
 *     a table's topics. Empty for groups
 * @param lag the present time less {@code through}
 * @param held why it is not complete further
 */
public record Subject(
    String kind,
    String name,
    Optional<Instant> through,
    Optional<Instant> askedAt,
    Optional<Duration> lag,
    Optional<Held> held) {}
