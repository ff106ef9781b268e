/** Coordinates a task's sessions: flushes and limits. Start with {@link LandingPipeline}. */
@NullMarked
package io.tidemark.connect.pipeline;

import org.jspecify.annotations.NullMarked;
