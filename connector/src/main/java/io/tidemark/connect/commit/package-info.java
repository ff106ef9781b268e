/** The log of committed batches of one topic-partition: appending, claiming, folding. */
@NullMarked
package io.tidemark.connect.commit;

import org.jspecify.annotations.NullMarked;
