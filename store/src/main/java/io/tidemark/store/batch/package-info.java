/**
 * Records as bytes, their offsets, chunks of records, and counts of announced batches. Start with
 * {@link io.tidemark.connect.staging.RecordChunk}.
 */
@NullMarked
package io.tidemark.store.batch;

import org.jspecify.annotations.NullMarked;
