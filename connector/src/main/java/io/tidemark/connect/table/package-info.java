/** Hive tables: names, schemas and their evolution, Hive partitions, and the catalog as a port. */
@NullMarked
package io.tidemark.connect.table;

import org.jspecify.annotations.NullMarked;
