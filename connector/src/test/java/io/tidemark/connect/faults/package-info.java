/**
 * Random and exhaustive fault tests: tasks, workers and services in one thread, with simulated
 * time. A test decides exactly where a fault happens, at every crash point or in random schedules
 * that a seed repeats.
 *
 * <p>The code under test is the connector's own code from the pipeline down. Only the services and
 * Connect are simulated.
 */
@NullMarked
package io.tidemark.connect.faults;

import org.jspecify.annotations.NullMarked;
