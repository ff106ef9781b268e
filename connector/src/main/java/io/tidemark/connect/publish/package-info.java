/**
 * Publishes the files of committed entries, and registers their Hive partitions in the catalog.
 * Start with {@link io.tidemark.connect.publish.Publisher}.
 */
@NullMarked
package io.tidemark.connect.publish;

import org.jspecify.annotations.NullMarked;
