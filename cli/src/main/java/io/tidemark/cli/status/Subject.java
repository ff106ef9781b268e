package io.tidemark.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A table or a group with its completeness, or a topic that has no table of its own.
 *
 * @param kind {@code table}, {@code group} or {@code topic}
 * @param name the name of the table ({@code default.orders}), the group or the topic
 * @param through the time through which it is complete; empty if it never was complete
 * @param askedAt the time at which Kafka was asked for the end offsets, the earliest of a table's
 *     topics; empty for groups
 * @param lag the present time minus {@code through}
 * @param held the reason why it is not complete further
 */
public record Subject(
    String kind,
    String name,
    Optional<Instant> through,
    Optional<Instant> askedAt,
    Optional<Duration> lag,
    Optional<Held> held) {}
