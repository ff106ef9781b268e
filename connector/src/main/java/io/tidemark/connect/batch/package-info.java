/** Records as bytes, their offsets, chunks of records, and counts of announced batches. */
@NullMarked
package io.tidemark.connect.batch;

import org.jspecify.annotations.NullMarked;
