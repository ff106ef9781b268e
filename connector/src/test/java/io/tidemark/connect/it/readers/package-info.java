/** The same table in each program with which people read tables. */
@NullMarked
package io.tidemark.connect.it.readers;

import org.jspecify.annotations.NullMarked;
