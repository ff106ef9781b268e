/**
 * Hive tables: names, directories, layouts, owners and catalog markers, and the port to the
 * catalog. Start with {@link io.tidemark.connect.table.TableDefinition} and {@link
 * io.tidemark.connect.table.TableCatalog}.
 */
@NullMarked
package io.tidemark.connect.table;

import org.jspecify.annotations.NullMarked;
