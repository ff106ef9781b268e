package io.tidemark.connect.announce;

import io.tidemark.connect.ledger.state.TopicRules;
import java.time.Duration;

/**
 * What manifests say of the configuration.
 *
 * @param logId the log's name. Example: {@code sales}
 * @param lateness how long after a time Kafka is asked
 * @param rules which kinds of blocks hold; others are let pass by the configuration
 * @param frameworkMayDrop records may be dropped before they reach the task, uncounted: there are
 *     transforms, and {@code errors.tolerance=all}
 */
public record AnnouncementSettings(
    String logId, Duration lateness, TopicRules rules, boolean frameworkMayDrop) {}
