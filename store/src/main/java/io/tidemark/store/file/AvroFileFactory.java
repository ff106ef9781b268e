package io.tidemark.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.avro.plan.DatumSink;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Compression;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Creates the data files of one task: Avro files of one block size, whose compressors are reused. A
 * staging thread writes the {@link ChunkRecords} of each file. Those of successive chunks become
 * the blocks of the file. Thread-safe.
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

  /** For records that are divided between several files. This costs one more copy of them. */
  public DatumSink newDivisibleRecords() {
    return new RecordRun(compressors);
  }

  /** Returns the blocks of a new file; {@code workers} compress what full blocks leave over. */
  public BlockSequence newFile(Executor workers) {
    return new BlockSequence(compressors, blockSizeBytes, workers);
  }

  /** Returns the header of a new file; {@code entry} is the log entry that will commit the file. */
  public ContainerFileHeader newHeader(TableSchema schema, UUID entry) {
    Map<String, byte[]> metadata = new LinkedHashMap<>();
    metadata.put(AvroFormat.ENTRY_KEY, entry.toString().getBytes(UTF_8));
    // With this key Hive reads timestamps as instants. It also uses Avro's calendar, not the Julian
    // calendar, for dates and timestamps before 1582.
    metadata.put("writer.time.zone", "UTC".getBytes(UTF_8));
    metadata.put("writer.proleptic", "true".getBytes(UTF_8));
    // With this key Spark does the same. It has no other key for the calendar: version 3.0.0 is the
    // first Spark whose dates and times use Avro's calendar. Without a version Spark rejects early
    // dates.
    metadata.put("org.apache.spark.version", "3.0.0".getBytes(UTF_8));
    return new ContainerFileHeader(
        schema.schema(), compressors.codec(), metadata, ContainerFileHeader.newSync());
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
