/**
 * Plans: how a datum of a writer schema becomes one of a table schema, and the interpreter that
 * runs them.
 */
@NullMarked
package io.tidemark.avro.plan;

import org.jspecify.annotations.NullMarked;
