/** Finds the table of a record, and binds writer schemas to table schemas. */
@NullMarked
package io.tidemark.connect.routing;

import org.jspecify.annotations.NullMarked;
