/**
 * Tasks, workers and services in one thread and in a time of their own, so that faults come exactly
 * where a test wants them: every crash point, and random schedules that a seed brings back.
 *
 * <p>What is under test is the connector's own code from the pipeline down; only the services and
 * Connect are made up.
 */
@NullMarked
package io.tidemark.connect.faults;

import org.jspecify.annotations.NullMarked;
