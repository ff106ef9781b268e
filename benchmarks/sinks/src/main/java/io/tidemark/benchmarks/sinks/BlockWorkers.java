package io.tidemark.benchmarks.sinks;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockCompressor;
import io.tidemark.avro.file.ContainerFileHeader;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.avro.Schema;

/**
 * The threads that compress and write the blocks of a task's files, and at most 2,048 buffers of
 * blocks, including one for each open file. Safe for use by several threads.
 */
final class BlockWorkers implements AutoCloseable {
  private static final int MOST_BLOCKS = 2_048;

  private final Schema schema;
  private final BlockCodec codec;
  private final int blockSizeBytes;
  private final ExecutorService compressing;
  private final ExecutorService writing;
  private final Semaphore free = new Semaphore(MOST_BLOCKS);
  private final Queue<byte[]> buffers = new ConcurrentLinkedQueue<>();
  private final Queue<BlockCompressor> compressors = new ConcurrentLinkedQueue<>();

  BlockWorkers(Schema schema, String codec, int blockSizeBytes, int threads, int writers) {
    this.schema = schema;
    this.codec = BlockCodec.of(codec);
    this.blockSizeBytes = blockSizeBytes;
    compressing = Executors.newFixedThreadPool(threads);
    writing = Executors.newFixedThreadPool(writers);
  }

  int blockSizeBytes() {
    return blockSizeBytes;
  }

  Executor compressing() {
    return compressing;
  }

  Executor writing() {
    return writing;
  }

  ContainerFileHeader header(byte[] sync) {
    return new ContainerFileHeader(schema, codec, Map.of(), sync);
  }

  /**
   * Returns a buffer of one and a half times the size of a block, for its last record; waits while
   * all are in use.
   */
  byte[] borrow() {
    free.acquireUninterruptibly();
    byte[] buffer = buffers.poll();
    return buffer == null ? new byte[blockSizeBytes + blockSizeBytes / 2] : buffer;
  }

  void giveBack(byte[] buffer) {
    buffers.add(buffer);
    free.release();
  }

  byte[] compress(byte[] raw, int length) {
    BlockCompressor idle = compressors.poll();
    BlockCompressor compressor = idle == null ? codec.newCompressor() : idle;
    ByteBuffer compressed = compressor.compress(raw, 0, length);
    byte[] bytes = new byte[compressed.remaining()];
    compressed.get(bytes);
    compressors.add(compressor);
    return bytes;
  }

  @Override
  public void close() {
    compressing.shutdownNow();
    writing.shutdownNow();
  }
}
