/**
 * Data files: writes the records of a table to Avro container files, and reads a file's log entry
 * from its metadata. Start with {@link io.tidemark.store.file.AvroFileFactory}.
 */
@NullMarked
package io.tidemark.store.file;

import org.jspecify.annotations.NullMarked;
