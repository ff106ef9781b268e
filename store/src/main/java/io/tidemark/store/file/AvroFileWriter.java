package io.tidemark.store.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.Block;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockRun;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Writes an Avro container file; see {@link DataFileWriter} for its threads. */
final class AvroFileWriter implements DataFileWriter {
  private final BlockSequence blocks;
  private final Schema schema;
  private final BlockCodec codec;
  private final UUID entry;

  // Set only while the file is written: the header contains the schema's text, and a batch has
  // thousands of files.
  private @Nullable ContainerFileHeader header;

  AvroFileWriter(BlockSequence blocks, Schema schema, BlockCodec codec, UUID entry) {
    this.blocks = blocks;
    this.schema = schema;
    this.codec = codec;
    this.entry = entry;
  }

  /** Fills blocks with the records of one chunk for one file. Not thread-safe. */
  record BlocksWriter(BlockFiller filler) implements ChunkRecordsWriter {
    @Override
    public void append(BatchRunner runner, SourceDatums datums, int from, int to)
        throws MalformedDatumException {
      filler.append(runner, datums, from, to);
    }

    @Override
    public void append(TableDatums datums, int from, int to) {
      filler.append(datums, from, to);
    }

    @Override
    public long records() {
      return filler.records();
    }

    @Override
    public ChunkRecords finish() {
      return new Blocks(filler.finish());
    }
  }

  /** Full blocks, and the remaining records. */
  private record Blocks(BlockRun run) implements ChunkRecords {}

  /** Collects the records of one chunk for several files. Not thread-safe. */
  record RecordsWriter(RecordRun run) implements ChunkRecordsWriter {
    @Override
    public void append(BatchRunner runner, SourceDatums datums, int from, int to)
        throws MalformedDatumException {
      run.append(runner, datums, from, to);
    }

    @Override
    public void append(TableDatums datums, int from, int to) {
      run.append(datums, from, to);
    }

    @Override
    public long records() {
      return run.records();
    }

    @Override
    public ChunkRecords finish() {
      return new Records(run);
    }
  }

  /** Records that are not yet in blocks. */
  private record Records(RecordRun run) implements ChunkRecords {}

  private record EncodedBlock(Block block) implements FilePart {
    @Override
    public long bytes() {
      return block.encodedBytes();
    }
  }

  @Override
  public void append(ChunkRecords records) {
    blocks.append(((Blocks) records).run());
  }

  @Override
  public void append(ChunkRecords records, int from, int to) {
    blocks.append(((Records) records).run(), from, to);
  }

  @Override
  public long encodedBytes() {
    return blocks.encodedBytes();
  }

  @Override
  public long bufferedBytes() {
    return blocks.bufferedBytes();
  }

  @Override
  public List<FilePart> take() {
    return blocks.take().stream().<FilePart>map(EncodedBlock::new).toList();
  }

  @Override
  public CompletableFuture<Void> finish() {
    return blocks.finish();
  }

  @Override
  public long writeHead(OutputStream out) throws IOException {
    header = new ContainerFileHeader(schema, codec, metadata(), ContainerFileHeader.newSync());
    byte[] encoded = header.encoded();
    out.write(encoded);
    return encoded.length;
  }

  private Map<String, byte[]> metadata() {
    Map<String, byte[]> metadata = new LinkedHashMap<>();
    metadata.put(DataFormat.ENTRY_KEY, text(entry.toString()));
    // With this key Hive reads timestamps as instants. It also uses Avro's calendar, not the Julian
    // calendar, for dates and timestamps before 1582.
    metadata.put("writer.time.zone", text("UTC"));
    metadata.put("writer.proleptic", text("true"));
    // With this key Spark does the same. It has no other key for the calendar: version 3.0.0 is the
    // first Spark whose dates and times use Avro's calendar. Without a version Spark rejects early
    // dates.
    metadata.put("org.apache.spark.version", text("3.0.0"));
    return metadata;
  }

  @Override
  public void write(FilePart part, OutputStream out) throws IOException {
    if (header == null) {
      throw new IllegalStateException("a part is written before the file's head");
    }
    Block block = ((EncodedBlock) part).block();
    block.writeTo(out, header);
    block.release();
  }

  @Override
  public long writeEnd(OutputStream out) {
    header = null;
    return 0;
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
