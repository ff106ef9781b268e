/**
 * Writes Avro object container files whose blocks are compressed in parallel.
 *
 * <p>{@link ParallelFileWriter} writes one file from one thread. The other classes are for programs
 * with their own threads and files. Each thread gets a <i>chunk</i>: some of the records. A chunk
 * can have records for several files; the thread uses one {@link BlockFiller} for each of these
 * files. The filler's result is a {@link BlockRun}: compressed {@link Block}s, and a <i>tail</i> of
 * records that did not fill a block. A {@link BlockSequence} for each file joins the tails, and
 * returns the blocks that are ready to be written after the {@link ContainerFileHeader}:
 *
 * <pre>{@code
 * BlockCodec codec = BlockCodec.of("snappy");
 * CompressorPool compressors = new CompressorPool(codec);   // one for all files with the codec
 * ContainerFileHeader header =
 *     new ContainerFileHeader(schema, codec, Map.of(), ContainerFileHeader.newSync());
 * stream.write(header.encoded());                           // any OutputStream
 * BlockSequence sequence = new BlockSequence(compressors, 65536, executor); // one for each file
 *
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
 * <p>After the last {@code BlockRun}, call {@link BlockSequence#finish()}, wait for its future, and
 * write the blocks of a last {@link BlockSequence#take()}.
 *
 * <p>A {@link RecordRun} is an uncompressed chunk. Use it instead of a {@code BlockFiller} if the
 * program does not know yet where one file ends and the next begins: a part of its records can be
 * appended to each sequence.
 */
@NullMarked
package io.tidemark.avro.file;

import org.jspecify.annotations.NullMarked;
