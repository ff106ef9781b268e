/** The log of one topic-partition: append, claim, fold. Start with {@link CommitLog}. */
@NullMarked
package io.tidemark.store.commit;

import org.jspecify.annotations.NullMarked;
