/**
 * Records as bytes, their offsets, and counts of announced batches. Start with {@link
 * io.tidemark.store.batch.IncomingRecord}.
 */
@NullMarked
package io.tidemark.store.batch;

import org.jspecify.annotations.NullMarked;
