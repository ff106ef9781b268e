/**
 * The schema of a table: its versions, its evolution, and its mapping to Hive's types. Start with
 * {@link io.tidemark.store.schema.SchemaEvolution}.
 */
@NullMarked
package io.tidemark.store.schema;

import org.jspecify.annotations.NullMarked;
