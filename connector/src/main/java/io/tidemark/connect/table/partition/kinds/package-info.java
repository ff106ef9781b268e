/** Further partitioners: by topic-partition, by fields and time, and user-defined. */
@NullMarked
package io.tidemark.connect.table.partition.kinds;

import org.jspecify.annotations.NullMarked;
