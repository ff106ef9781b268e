package io.tidemark.store.file;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.avro.plan.DatumSink;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Compression;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Creates the data files of one task: Avro files of one block size, whose compressors are reused. A
 * staging thread writes the parts of a file, its {@link ChunkRecords}. Thread-safe.
 */
public final class AvroFileFactory implements AutoCloseable {
  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final Map<Compression, AvroFileFactory> others = new ConcurrentHashMap<>();

  /** {@code idleLimit} returns the maximum size of idle buffers in bytes at present. */
  public AvroFileFactory(BlockCodec codec, int blockSizeBytes, LongSupplier idleLimit) {
    this(new CompressorPool(codec, idleLimit), blockSizeBytes);
  }

  private AvroFileFactory(CompressorPool compressors, int blockSizeBytes) {
    this.compressors = compressors;
    this.blockSizeBytes = blockSizeBytes;
  }

  /** Returns the codec's name, as in log entries. Example: {@code snappy} */
  public String codec() {
    return compressors.codec().name();
  }

  /**
   * Returns a factory of files with another compression; empty for that of this factory. It is
   * closed with this factory, whose {@link #codecNanos} include its time.
   */
  public AvroFileFactory with(Optional<Compression> own) {
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

  public DatumSink newRecords() {
    return new BlockFiller(compressors, blockSizeBytes);
  }

  /**
   * For records that are divided between several files; see {@link
   * AvroFileWriter#append(ChunkRecords, int, int)}. This costs one more copy of the records.
   */
  public DatumSink newDivisibleRecords() {
    return new RecordRun(compressors);
  }

  /**
   * {@code entry} is the UUID of the log entry that will commit the file, in the file's metadata.
   * {@code workers} compress the records that remain after the chunks' full blocks.
   */
  public AvroFileWriter newFile(TableSchema schema, UUID entry, Executor workers) {
    return new AvroFileWriter(
        new BlockSequence(compressors, blockSizeBytes, workers),
        schema.schema(),
        compressors.codec(),
        entry);
  }

  public long codecNanos() {
    return compressors.busyNanos()
        + others.values().stream().mapToLong(AvroFileFactory::codecNanos).sum();
  }

  /** No file may still be open for writing. */
  @Override
  public void close() {
    compressors.close();
    others.values().forEach(AvroFileFactory::close);
  }
}
