/**
 * Finds the table of a record, and binds writer schemas to table schemas. Start with {@link
 * io.tidemark.connect.routing.TableBinder}.
 */
@NullMarked
package io.tidemark.connect.routing;

import org.jspecify.annotations.NullMarked;
