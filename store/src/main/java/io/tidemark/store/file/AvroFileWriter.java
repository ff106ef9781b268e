package io.tidemark.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.file.Block;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.ContainerFileHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes an Avro container file. One thread at a time appends records and takes parts. The head and
 * the parts are written later, in this order, also by one thread at a time.
 */
public final class AvroFileWriter {
  private final BlockSequence blocks;
  private final Schema schema;
  private final BlockCodec codec;
  private final UUID entry;

  // Set only while the file is written: each file of thousands has the schema's text in its header.
  private @Nullable ContainerFileHeader header;

  AvroFileWriter(BlockSequence blocks, Schema schema, BlockCodec codec, UUID entry) {
    this.blocks = blocks;
    this.schema = schema;
    this.codec = codec;
    this.entry = entry;
  }

  /** An encoded block of the file. */
  public record Part(Block block) {

    public long bytes() {
      return block.encodedBytes();
    }
  }

  public void append(ChunkRecords records) {
    blocks.append(((ChunkRecords.Blocks) records).run());
  }

  /** Appends divisible records from {@code from} to before {@code to}: all of them, in order. */
  public void append(ChunkRecords records, int from, int to) {
    blocks.append(((ChunkRecords.Records) records).run(), from, to);
  }

  /** Returns the records' length in the file; those not yet encoded count uncompressed. */
  public long encodedBytes() {
    return blocks.encodedBytes();
  }

  /** Returns the memory, in bytes, of the parts that {@link #take} would return. */
  public long bufferedBytes() {
    return blocks.bufferedBytes();
  }

  /** Returns the complete parts that were not returned before. */
  public List<Part> take() {
    return blocks.take().stream().map(Part::new).toList();
  }

  /** Completes the file. After the future completes, {@link #take} returns the last parts. */
  public CompletableFuture<Void> finish() {
    return blocks.finish();
  }

  /** Writes the bytes before the first part, and returns their number. */
  public long writeHead(OutputStream out) throws IOException {
    header = new ContainerFileHeader(schema, codec, metadata(), ContainerFileHeader.newSync());
    byte[] encoded = header.encoded();
    out.write(encoded);
    return encoded.length;
  }

  private Map<String, byte[]> metadata() {
    Map<String, byte[]> metadata = new LinkedHashMap<>();
    metadata.put(AvroFormat.ENTRY_KEY, entry.toString().getBytes(UTF_8));
    // With this key Hive reads timestamps as instants. It also uses Avro's calendar, not the Julian
    // calendar, for dates and timestamps before 1582.
    metadata.put("writer.time.zone", "UTC".getBytes(UTF_8));
    metadata.put("writer.proleptic", "true".getBytes(UTF_8));
    // With this key Spark does the same. It has no other key for the calendar: version 3.0.0 is the
    // first Spark whose dates and times use Avro's calendar. Without it Spark rejects early dates.
    metadata.put("org.apache.spark.version", "3.0.0".getBytes(UTF_8));
    return metadata;
  }

  /** Writes a part that {@link #take} returned, and frees its memory. */
  public void write(Part part, OutputStream out) throws IOException {
    if (header == null) {
      throw new IllegalStateException("a part is written before the file's head");
    }
    part.block().writeTo(out, header);
    part.block().release();
  }

  /** Frees the memory of the head, once the last part is written. */
  public void end() {
    header = null;
  }
}
