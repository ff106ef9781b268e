/** Publishes the files of entries; registers Hive partitions. Start with {@link Publisher}. */
@NullMarked
package io.tidemark.store.publish;

import org.jspecify.annotations.NullMarked;
