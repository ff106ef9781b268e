/** Publishes the files of committed entries, and registers their Hive partitions in the catalog. */
@NullMarked
package io.tidemark.connect.publish;

import org.jspecify.annotations.NullMarked;
