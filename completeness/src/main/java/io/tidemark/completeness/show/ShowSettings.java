package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.TopicRules;
import java.time.Duration;

/**
 * The parts of the configuration that manifests contain.
 *
 * @param lateness the minimum time from the end of a Hive partition to its snapshot ({@code
 *     completeness.lateness.ms})
 * @param rules the kinds of holds that prevent completeness, by topic; other kinds are allowed
 * @param frameworkMayDrop whether records may be dropped before they reach the task, without being
 *     counted. This is so with transforms and {@code errors.tolerance=all}
 */
public record ShowSettings(
    String logId, Duration lateness, TopicRules rules, boolean frameworkMayDrop) {}
