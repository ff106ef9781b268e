/**
 * Coordinates the sessions of a task: flushes, limits, pausing and resuming of the consumer. Start
 * with {@link io.tidemark.connect.pipeline.LandingPipeline}.
 */
@NullMarked
package io.tidemark.connect.pipeline;

import org.jspecify.annotations.NullMarked;
