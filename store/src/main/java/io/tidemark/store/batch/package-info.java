/** Records as bytes, offsets, counts of announced batches. Start with {@link IncomingRecord}. */
@NullMarked
package io.tidemark.store.batch;

import org.jspecify.annotations.NullMarked;
