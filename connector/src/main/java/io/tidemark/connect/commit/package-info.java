/**
 * The log of committed batches of one topic-partition: appending, claiming, folding. Start with
 * {@link io.tidemark.connect.commit.CommitLog}.
 */
@NullMarked
package io.tidemark.connect.commit;

import org.jspecify.annotations.NullMarked;
