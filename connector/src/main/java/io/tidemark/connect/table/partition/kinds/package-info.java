/** Further ways to divide a table: by Kafka's partitions, by fields and time, by a class. */
@NullMarked
package io.tidemark.connect.table.partition.kinds;

import org.jspecify.annotations.NullMarked;
