/** From a record to its table, and how it becomes one of the table's. */
@NullMarked
package io.tidemark.connect.routing;

import org.jspecify.annotations.NullMarked;
