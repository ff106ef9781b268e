/** The file system as the commit log needs it. */
@NullMarked
package io.tidemark.connect.storage;

import org.jspecify.annotations.NullMarked;
