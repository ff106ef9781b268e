/**
 * Computes a record's Hive partition from its time or its fields. Start with {@link
 * io.tidemark.connect.table.partition.PartitionSpec}.
 */
@NullMarked
package io.tidemark.connect.table.partition;

import org.jspecify.annotations.NullMarked;
