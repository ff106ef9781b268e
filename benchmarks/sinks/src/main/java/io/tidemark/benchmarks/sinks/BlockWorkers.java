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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;

/**
 * What the files of a task share: the header, the buffers, and the threads that compress and write
 * blocks. At most 1,024 blocks are under way, and as many files are being closed. Safe for use by
 * several threads.
 */
final class BlockWorkers implements AutoCloseable {
  private static final int MOST_BLOCKS = 1_024;
  private static final int MOST_CLOSING = 1_024;

  private final BlockCodec codec;
  private final int blockSizeBytes;
  private final byte[] sync = ContainerFileHeader.newSync();
  private final byte[] header;
  private final BlockBuffers buffers;
  private final ExecutorService compressing;
  private final ExecutorService writing;
  private final Semaphore blocks = new Semaphore(MOST_BLOCKS);
  private final Semaphore closing = new Semaphore(MOST_CLOSING);
  private final Queue<BlockCompressor> compressors = new ConcurrentLinkedQueue<>();

  BlockWorkers(Schema schema, String codec, int blockSizeBytes, int threads, int writers) {
    this.codec = BlockCodec.of(codec);
    this.blockSizeBytes = blockSizeBytes;
    header = new ContainerFileHeader(schema, this.codec, Map.of(), sync).encoded();
    buffers = new BlockBuffers(blockSizeBytes);
    // The benchmark adds up the CPU time of threads by the beginnings of their names.
    compressing = Executors.newFixedThreadPool(threads, named("raw-compress-"));
    writing = Executors.newFixedThreadPool(writers, named("raw-write-"));
  }

  private static ThreadFactory named(String prefix) {
    var count = new AtomicInteger();
    return work -> {
      var thread = new Thread(work, prefix + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  int blockSizeBytes() {
    return blockSizeBytes;
  }

  BlockBuffers buffers() {
    return buffers;
  }

  /** Returns the threads that compress. */
  Executor compressing() {
    return compressing;
  }

  /** Returns the threads that write and close files. */
  Executor writing() {
    return writing;
  }

  /** Returns the limit of blocks that are being compressed or written. */
  Semaphore blocks() {
    return blocks;
  }

  /** Returns the limit of files that are being closed. */
  Semaphore closing() {
    return closing;
  }

  /** Returns the bytes with which each file begins; the caller must not change them. */
  byte[] header() {
    return header;
  }

  /** Returns the sync marker of all files; the caller must not change it. */
  byte[] sync() {
    return sync;
  }

  /** Compresses a block, and takes its buffer back. */
  ByteBuffer compress(byte[] raw, int length) {
    BlockCompressor idle = compressors.poll();
    BlockCompressor compressor = idle == null ? codec.newCompressor() : idle;
    ByteBuffer compressed = compressor.compress(raw, 0, length);
    byte[] bytes = new byte[compressed.remaining()];
    compressed.get(bytes);
    compressors.add(compressor);
    buffers.giveBack(raw);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public void close() {
    compressing.shutdownNow();
    writing.shutdownNow();
  }
}
