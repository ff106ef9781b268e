/**
 * Writes Avro object container files whose blocks are compressed in parallel.
 *
 * <p>{@link ParallelFileWriter} writes one file from one thread. The other classes are for programs
 * with their own threads and files. Each thread gets a <i>chunk</i> of the records, and appends it
 * to a {@link BlockFiller} for each file that the chunk belongs to. The result is a <i>run</i>, a
 * {@link BlockRun}: compressed {@link Block}s, and a <i>tail</i> of records that did not fill a
 * block. A {@link BlockSequence} for each file joins the tails, and returns the blocks that are
 * ready to be written after the {@link ContainerFileHeader}:
 *
 * <pre>{@code
 * BlockFiller filler = new BlockFiller(compressors, 65536); // in any thread, for one chunk
 * filler.append(datum, 0, datum.length);                    // for each record of the chunk
 * BlockRun run = filler.finish();
 *
 * sequence.append(run);                                     // in one thread, in the file's order
 * for (Block block : sequence.take()) {
 *   block.writeTo(stream, header);
 *   block.release();
 * }
 * }</pre>
 *
 * <p>After the last run, call {@link BlockSequence#finish()}, wait for its future, and write the
 * blocks of a last {@link BlockSequence#take()}.
 */
@NullMarked
package io.tidemark.avro.file;

import org.jspecify.annotations.NullMarked;
