/**
 * A monotonic clock, and threads that repeat a step. Start with {@link
 * io.tidemark.connect.time.MonotonicClock}.
 */
@NullMarked
package io.tidemark.connect.time;

import org.jspecify.annotations.NullMarked;
