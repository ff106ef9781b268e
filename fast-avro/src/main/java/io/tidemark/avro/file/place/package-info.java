/** Where files are written to. Internal: it may change with any release. */
@NullMarked
package io.tidemark.avro.file.place;

import org.jspecify.annotations.NullMarked;
