package io.tidemark.store.file;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Compression;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** Creates Avro files of one block size, and reuses their compressors. Thread-safe. */
public final class AvroFileFactory implements DataFileFactory {
  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final Map<Compression, AvroFileFactory> others = new ConcurrentHashMap<>();

  /**
   * {@code codec} is for files without a configured compression; {@code idleLimit} returns the
   * maximum size of idle buffers in bytes at present.
   */
  public AvroFileFactory(BlockCodec codec, int blockSizeBytes, LongSupplier idleLimit) {
    this(new CompressorPool(codec, idleLimit), blockSizeBytes);
  }

  private AvroFileFactory(CompressorPool compressors, int blockSizeBytes) {
    this.compressors = compressors;
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
  public DataFileFactory with(Optional<Compression> own) {
    return own.isEmpty()
        ? this
        : others.computeIfAbsent(
            own.get(),
            other -> new AvroFileFactory(compressors.with(codec(other)), blockSizeBytes));
  }

  public static BlockCodec codec(Compression compression) {
    String name = compression.codec();
    return compression.level().isPresent()
        ? BlockCodec.of(name, compression.level().getAsInt())
        : BlockCodec.of(name);
  }

  @Override
  public ChunkRecordsWriter newRecords() {
    return new AvroFileWriter.BlocksWriter(new BlockFiller(compressors, blockSizeBytes));
  }

  @Override
  public ChunkRecordsWriter newDivisibleRecords() {
    return new AvroFileWriter.RecordsWriter(new RecordRun(compressors));
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
    return compressors.busyNanos()
        + others.values().stream().mapToLong(AvroFileFactory::codecNanos).sum();
  }

  @Override
  public void close() {
    compressors.close();
    others.values().forEach(AvroFileFactory::close);
  }
}
