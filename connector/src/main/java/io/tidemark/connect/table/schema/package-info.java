/**
 * The schema of a table: its versions, its evolution, and its mapping to Hive's types. Start with
 * {@link io.tidemark.connect.table.schema.SchemaEvolution}.
 */
@NullMarked
package io.tidemark.connect.table.schema;

import org.jspecify.annotations.NullMarked;
