/** The file system interface with the guarantees that the commit log needs: see Storage. */
@NullMarked
package io.tidemark.connect.storage;

import org.jspecify.annotations.NullMarked;
