/** The schema of a table: its versions, how it grows, and what Hive makes of it. */
@NullMarked
package io.tidemark.connect.table.schema;

import org.jspecify.annotations.NullMarked;
