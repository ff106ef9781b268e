/** The log of committed batches of one topic-partition: entries, claims, generations. */
@NullMarked
package io.tidemark.connect.commit;

import org.jspecify.annotations.NullMarked;
