package io.tidemark.connect.format.avro;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.connect.format.DataFileFactory;
import io.tidemark.connect.format.DataFileWriter;
import io.tidemark.connect.format.DataFormat;
import io.tidemark.connect.format.SegmentWriter;
import io.tidemark.connect.table.schema.TableSchema;
import java.util.UUID;
import java.util.concurrent.Executor;

/** Makes Avro files with one codec and block size; keeps their compressors from file to file. */
public final class AvroFileFactory implements DataFileFactory {
  private final CompressorPool compressors;
  private final int blockSizeBytes;

  /**
   * Makes a factory.
   *
   * @param blockSizeBytes size of an uncompressed block
   */
  public AvroFileFactory(BlockCodec codec, int blockSizeBytes) {
    this.compressors = new CompressorPool(codec);
    this.blockSizeBytes = blockSizeBytes;
  }

  @Override
  public DataFormat format() {
    return AvroFormat.INSTANCE;
  }

  @Override
  public String codec() {
    return compressors.codec().name();
  }

  @Override
  public SegmentWriter newSegment() {
    return new AvroSegmentWriter(new BlockFiller(compressors, blockSizeBytes));
  }

  @Override
  public SegmentWriter newDivisibleSegment() {
    return new AvroRecordsWriter(new RecordRun(compressors));
  }

  @Override
  public DataFileWriter newFile(TableSchema schema, UUID entry, Executor workers) {
    return new AvroFileWriter(
        new BlockSequence(compressors, blockSizeBytes, workers),
        schema.schema(),
        compressors.codec(),
        entry);
  }

  @Override
  public long codecNanos() {
    return compressors.busyNanos();
  }

  @Override
  public void close() {
    compressors.close();
  }
}
