/**
 * The interface of file formats: writes the records of a table to files, and reads from a file's
 * metadata which log entry it belongs to.
 */
@NullMarked
package io.tidemark.connect.format;

import org.jspecify.annotations.NullMarked;
