/**
 * Merges two schemas into one that reads the data of both. Start with {@link
 * io.tidemark.avro.merge.MergedSchema}.
 */
@NullMarked
package io.tidemark.avro.merge;

import org.jspecify.annotations.NullMarked;
