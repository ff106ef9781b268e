/** A monotonic clock, and threads that repeat a step. */
@NullMarked
package io.tidemark.connect.time;

import org.jspecify.annotations.NullMarked;
