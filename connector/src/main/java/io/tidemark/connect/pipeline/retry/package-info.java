/** Retries with growing pauses, and the failures of asynchronous steps. */
@NullMarked
package io.tidemark.connect.pipeline.retry;

import org.jspecify.annotations.NullMarked;
