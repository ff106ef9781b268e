/** A record's Hive partition, by its time or fields. Start with {@link PartitionSpec}. */
@NullMarked
package io.tidemark.store.partition;

import org.jspecify.annotations.NullMarked;
