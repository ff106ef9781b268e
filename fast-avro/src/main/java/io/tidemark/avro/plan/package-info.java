/**
 * Plans, which convert datums from a writer schema to a reader schema, and the interpreter that
 * runs them.
 *
 * <p>Names such as {@link TableDatum} and {@code tableSchema} mean the reader schema. They come
 * from the first use of this library, in which the reader schema is the schema of a table.
 */
@NullMarked
package io.tidemark.avro.plan;

import org.jspecify.annotations.NullMarked;
