/**
 * Records as bytes, their offsets, chunks of records, and counts of announced batches. Start with
 * {@link io.tidemark.connect.batch.RecordChunk}.
 */
@NullMarked
package io.tidemark.connect.batch;

import org.jspecify.annotations.NullMarked;
