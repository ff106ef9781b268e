/** From a committed entry to files in the table and Hive partitions in the catalog. */
@NullMarked
package io.tidemark.connect.publish;

import org.jspecify.annotations.NullMarked;
