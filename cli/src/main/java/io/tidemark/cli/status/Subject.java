package io.tidemark.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The completeness of a table or a group, or of a topic without a table of its own.
 *
 * @param kind {@code table}, {@code group} or {@code topic}
 * @param name the name of the table, such as {@code default.orders}, of the group or of the topic
 * @param through the time up to which it is complete; empty if it never was
 * @param askedAt the time at which the end offsets were requested that this is based on; the
 *     earliest of a table's topics. Empty for groups
 * @param lag the present time minus {@code through}
 * @param held the reason why it is not complete up to a later time
 */
public record Subject(
    String kind,
    String name,
    Optional<Instant> through,
    Optional<Instant> askedAt,
    Optional<Duration> lag,
    Optional<Held> held) {}
