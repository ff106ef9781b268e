/**
 * Computes a record's Hive partition from its time or its fields. Start with {@link
 * io.tidemark.store.partition.PartitionSpec}.
 */
@NullMarked
package io.tidemark.store.partition;

import org.jspecify.annotations.NullMarked;
