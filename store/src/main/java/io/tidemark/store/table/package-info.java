/**
 * Hive tables: names, directories, layouts, owners and catalog markers, and the port to the
 * catalog. Start with {@link io.tidemark.store.table.TableDefinition} and {@link
 * io.tidemark.store.table.TableCatalog}.
 */
@NullMarked
package io.tidemark.store.table;

import org.jspecify.annotations.NullMarked;
