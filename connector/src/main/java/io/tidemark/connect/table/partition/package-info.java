/** How a record's time leads to its Hive partition. */
@NullMarked
package io.tidemark.connect.table.partition;

import org.jspecify.annotations.NullMarked;
