/** Destinations of files. Internal: this package may change with any release. */
@NullMarked
package io.tidemark.avro.file.place;

import org.jspecify.annotations.NullMarked;
