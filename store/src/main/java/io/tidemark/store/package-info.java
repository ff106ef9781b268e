/**
 * The file system, with the guarantees that the commit log needs. Start with {@link
 * io.tidemark.store.Storage}.
 */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
