/** The file system, with the guarantees that the log needs. Start with {@link Storage}. */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
