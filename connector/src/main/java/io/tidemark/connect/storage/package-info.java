/**
 * The port to the file system, with the guarantees that the commit log needs. Start with {@link
 * io.tidemark.connect.storage.Storage}.
 */
@NullMarked
package io.tidemark.connect.storage;

import org.jspecify.annotations.NullMarked;
