/**
 * Hive tables: names, directories, layouts, owners and marker files, and the interface to the
 * catalog. Start with {@link io.tidemark.store.table.TableDefinition} and {@link
 * io.tidemark.store.table.TableCatalog}.
 */
@NullMarked
package io.tidemark.store.table;

import org.jspecify.annotations.NullMarked;
