/**
 * Rules that change the types and fields of writer schemas: an enum becomes a string, microseconds
 * become milliseconds, a field is left out or hashed. Datums are converted without objects.
 */
@NullMarked
package io.tidemark.avro.mapping;

import org.jspecify.annotations.NullMarked;
