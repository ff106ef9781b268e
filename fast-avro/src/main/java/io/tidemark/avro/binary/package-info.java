/** Avro's binary encoding: a cursor, a decoder, and the exception for malformed datums. */
@NullMarked
package io.tidemark.avro.binary;

import org.jspecify.annotations.NullMarked;
