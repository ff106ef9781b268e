/**
 * The log of committed batches of one topic-partition: appending, claiming, folding. Start with
 * {@link io.tidemark.store.commit.CommitLog}.
 */
@NullMarked
package io.tidemark.store.commit;

import org.jspecify.annotations.NullMarked;
