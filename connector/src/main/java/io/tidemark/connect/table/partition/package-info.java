/** Computes a record's Hive partition from its time or its fields. */
@NullMarked
package io.tidemark.connect.table.partition;

import org.jspecify.annotations.NullMarked;
