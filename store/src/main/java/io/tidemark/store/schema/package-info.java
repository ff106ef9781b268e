/** Schemas of tables: versions, evolution, Hive. Start with {@link SchemaEvolution}. */
@NullMarked
package io.tidemark.store.schema;

import org.jspecify.annotations.NullMarked;
