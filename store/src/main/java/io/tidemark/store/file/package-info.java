/**
 * The interface of file formats. A format writes the records of a table to files. It also reads
 * from a file's metadata the log entry of the file. Start with {@link
 * io.tidemark.store.file.DataFormat}.
 */
@NullMarked
package io.tidemark.store.file;

import org.jspecify.annotations.NullMarked;
