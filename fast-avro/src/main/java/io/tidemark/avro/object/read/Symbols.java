package io.tidemark.avro.object.read;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an enum's symbols, by the index in the writer schema. For use by many threads.
 *
 * @param values the objects; null for a symbol that the reader schema lacks
 */
record Symbols(@Nullable Object[] values, Schema writer) {}
