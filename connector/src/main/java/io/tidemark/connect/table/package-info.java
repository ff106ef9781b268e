/**
 * Hive tables: names, directories, layouts, owners, catalog markers, and the interface of the
 * catalog.
 */
@NullMarked
package io.tidemark.connect.table;

import org.jspecify.annotations.NullMarked;
