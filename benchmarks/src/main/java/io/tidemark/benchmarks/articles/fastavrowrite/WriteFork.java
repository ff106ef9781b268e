package io.tidemark.benchmarks.articles.fastavrowrite;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** Measures one mode in a separate JVM: writes a file repeatedly. */
final class WriteFork {
  private static final int POOL = 50_000;

  private WriteFork() {}

  /**
   * Prints the milliseconds of each file, from the first record until the stream is closed.
   *
   * @param arguments the destination, the number of records, of uncounted files and of counted
   *     files, then the mode
   */
  public static void main(String[] arguments) throws IOException {
    int records = Integer.parseInt(arguments[1]);
    int warmUps = Integer.parseInt(arguments[2]);
    int runs = Integer.parseInt(arguments[3]);
    WriteMode mode = WriteMode.parse(List.of(arguments).subList(4, arguments.length));
    var writer = new QuoteWriter(Math.min(POOL, records));
    var line = new StringBuilder();
    try (Destination destination = Destination.of(mode, arguments[0])) {
      for (int run = -warmUps; run < runs; run++) {
        long start = System.nanoTime();
        // The writers close it.
        OutputStream stream = destination.open();
        writer.write(mode, records, stream);
        double milliseconds = (System.nanoTime() - start) / 1e6;
        if (run >= 0) {
          line.append(milliseconds).append(' ');
        }
      }
    }
    System.out.println(line);
    System.exit(0);
  }

  /**
   * Measures files of a few sizes, written in parallel and by one thread in turn, in a separate
   * JVM.
   */
  static final class OfSizes {
    private OfSizes() {}

    /**
     * Prints a line for each size: records, and the median milliseconds by one thread and in
     * parallel.
     *
     * @param arguments the destination, the parallelism, the number of runs, then the sizes
     */
    public static void main(String[] arguments) throws IOException {
      int parallelism = Integer.parseInt(arguments[1]);
      int runs = Integer.parseInt(arguments[2]);
      int[] sizes = Arrays.stream(arguments).skip(3).mapToInt(Integer::parseInt).sorted().toArray();
      var writer = new QuoteWriter(Math.min(POOL, sizes[sizes.length - 1]));
      WriteMode mode = WriteMode.file(WriteMode.Library.OURS, parallelism);
      try (Destination destination = Destination.of(mode, arguments[0])) {
        // Write the largest first, uncounted, for the JIT compiler.
        measure(writer, destination, parallelism, sizes[sizes.length - 1], runs);
        for (int size : sizes) {
          double[][] times = measure(writer, destination, parallelism, size, runs);
          System.out.println(size + " " + times[0][runs / 2] + " " + times[1][runs / 2]);
        }
      }
      System.exit(0);
    }

    /** Returns the sorted milliseconds by one thread and in parallel. */
    private static double[][] measure(
        QuoteWriter writer, Destination destination, int parallelism, int records, int runs)
        throws IOException {
      var times = new double[2][runs];
      for (int run = 0; run < runs; run++) {
        for (int parallel = 0; parallel < 2; parallel++) {
          long start = System.nanoTime();
          writer.write(parallel == 1, parallelism, records, destination.open());
          times[parallel][run] = (System.nanoTime() - start) / 1e6;
        }
      }
      Arrays.sort(times[0]);
      Arrays.sort(times[1]);
      return times;
    }
  }
}
