/**
 * Writes Avro object container files whose blocks are compressed in parallel.
 *
 * <p>{@link ParallelFileWriter} writes one file from one thread. The other classes are for programs
 * with their own threads and files: each worker gets a <i>chunk</i> of the records, and puts it
 * into a {@link BlockFiller} for each file that the chunk belongs to. The result is a {@link
 * BlockRun}: compressed {@link Block}s, and a <i>tail</i> of records that did not fill a block. A
 * {@link BlockSequence} for each file puts the runs in order, joins the tails, and returns the
 * blocks that are ready to be written after the {@link ContainerFileHeader}.
 */
@NullMarked
package io.tidemark.avro.file;

import org.jspecify.annotations.NullMarked;
