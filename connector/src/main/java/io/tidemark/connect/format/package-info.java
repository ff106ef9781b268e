/** From the records of one table, in order, to a file and back to its identity: a port. */
@NullMarked
package io.tidemark.connect.format;

import org.jspecify.annotations.NullMarked;
