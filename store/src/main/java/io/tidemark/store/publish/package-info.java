/**
 * Publishes the files of committed entries, and registers their Hive partitions in the catalog.
 * Start with {@link io.tidemark.store.publish.Publisher}.
 */
@NullMarked
package io.tidemark.store.publish;

import org.jspecify.annotations.NullMarked;
