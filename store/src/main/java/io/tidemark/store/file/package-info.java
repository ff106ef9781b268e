/** Data files, and the log entry in their metadata. Start with {@link AvroFileFactory}. */
@NullMarked
package io.tidemark.store.file;

import org.jspecify.annotations.NullMarked;
