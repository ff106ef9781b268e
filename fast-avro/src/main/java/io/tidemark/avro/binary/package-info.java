/** Avro binary as bytes: a cursor, and what a malformed datum is. */
@NullMarked
package io.tidemark.avro.binary;

import org.jspecify.annotations.NullMarked;
