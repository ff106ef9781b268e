/**
 * The partitioners by topic-partition and by fields and time, and the adapter for user-defined
 * partitioners. Start with {@link
 * io.tidemark.connect.table.partition.kinds.FieldAndTimePartitioned}.
 */
@NullMarked
package io.tidemark.connect.table.partition.kinds;

import org.jspecify.annotations.NullMarked;
