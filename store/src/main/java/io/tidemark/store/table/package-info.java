/** Tables: names, places, layouts, owners, and the {@link TableCatalog}. */
@NullMarked
package io.tidemark.store.table;

import org.jspecify.annotations.NullMarked;
