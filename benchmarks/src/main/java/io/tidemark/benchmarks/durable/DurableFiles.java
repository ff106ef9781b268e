package io.tidemark.benchmarks.durable;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Compares files written to a real HDFS with {@code SYNC_BLOCK}, as the connector writes them, with
 * files that are only closed. Both take turns, and the medians are reported.
 */
public final class DurableFiles {
  private static final int WARM_UP_PAIRS = 3;
  private static final int PAIRS = 21;
  private static final Path DIRECTORY = new Path("/durable-files");

  private final DistributedFileSystem fileSystem;

  private DurableFiles(DistributedFileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  /** A number of files of one size, with the number of writing threads. */
  private record Load(String what, int files, int bytes, int threads) {}

  private static final List<Load> LOADS =
      List.of(
          new Load("a flush of a million quotes", 28, 4 << 20, 8),
          new Load("many small files", 200, 64 << 10, 8),
          new Load("log entries, one after the other", 20, 2 << 10, 1));

  /** Starts HDFS, measures, and prints a table. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    // As in the connector: the pause before a client asks again whether a block is complete.
    conf.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
    java.nio.file.Path files =
        Files.createTempDirectory(java.nio.file.Path.of("target"), "durable-");
    try (LocalStack stack = LocalStack.builder().directory(files).with(Service.HDFS).start();
        FileSystem opened = FileSystem.newInstance(stack.hdfs().uri(), conf)) {
      DurableFiles run = new DurableFiles((DistributedFileSystem) opened);
      System.out.printf(
          "%-34s %5s %9s %8s %14s %17s %6s%n",
          "what", "files", "bytes", "threads", "closed, ms", "SYNC_BLOCK, ms", "ratio");
      for (Load load : LOADS) {
        run.measure(load);
      }
    }
  }

  private void measure(Load load) throws Exception {
    List<Double> closed = new ArrayList<>();
    List<Double> durable = new ArrayList<>();
    for (int pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
      double closedMs = write(load, false);
      double durableMs = write(load, true);
      if (pair >= 0) {
        closed.add(closedMs);
        durable.add(durableMs);
      }
    }
    System.out.printf(
        "%-34s %5d %9d %8d %14.1f %17.1f %6.2f%n",
        load.what(),
        load.files(),
        load.bytes(),
        load.threads(),
        median(closed),
        median(durable),
        median(durable) / median(closed));
  }

  /** Returns the milliseconds until all files of a load are closed. */
  private double write(Load load, boolean syncBlock) throws Exception {
    if (fileSystem.exists(DIRECTORY) && !fileSystem.delete(DIRECTORY, true)) {
      throw new IOException(DIRECTORY + " cannot be removed");
    }
    if (!fileSystem.mkdirs(DIRECTORY)) {
      throw new IOException(DIRECTORY + " cannot be made");
    }
    byte[] data = new byte[load.bytes()];
    new Random(20_261_121).nextBytes(data);
    ExecutorService pool = Executors.newFixedThreadPool(load.threads());
    try {
      List<Callable<Void>> writes = new ArrayList<>();
      for (int i = 0; i < load.files(); i++) {
        Path file = new Path(DIRECTORY, Integer.toString(i));
        writes.add(() -> write(file, data, syncBlock));
      }
      long begin = System.nanoTime();
      for (Future<Void> written : pool.invokeAll(writes)) {
        written.get();
      }
      return (System.nanoTime() - begin) / 1e6;
    } catch (ExecutionException e) {
      throw new IOException("a file could not be written", e.getCause());
    } finally {
      pool.shutdown();
    }
  }

  private Void write(Path file, byte[] data, boolean syncBlock) throws IOException {
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        fileSystem.createFile(file).overwrite(false).replication((short) 1);
    try (OutputStream out = (syncBlock ? builder.syncBlock() : builder).build()) {
      out.write(data);
    }
    return null;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
