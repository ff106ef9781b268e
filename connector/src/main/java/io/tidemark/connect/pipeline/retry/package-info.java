/**
 * Retries with growing pauses, and the failures of asynchronous steps. Start with {@link
 * io.tidemark.connect.pipeline.retry.Retries}.
 */
@NullMarked
package io.tidemark.connect.pipeline.retry;

import org.jspecify.annotations.NullMarked;
