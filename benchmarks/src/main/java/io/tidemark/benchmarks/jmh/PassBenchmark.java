package io.tidemark.benchmarks.jmh;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.CountingSink;
import io.tidemark.benchmarks.contenders.Job;
import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures one contender with one work on one kind of record: the time of a pass over datums. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PassBenchmark {
  private static final long INPUT_BYTES = 8L << 20;

  private static final long ENCODED_BYTES = 128L << 10;

  /** The input, shared by all threads. */
  @State(Scope.Benchmark)
  public static class Input {
    @Param("StockQuote-78")
    public String record = "";

    @Param("check-copy")
    public String work = "";

    @Param("ours")
    public String contender = "";

    @Param("null")
    public String codec = "";

    @Param("1")
    public int parallelism;

    private ReferenceRecord reference = ReferenceRecord.all().get(0);
    private byte[][] datums = {};

    @Setup
    public void generate() {
      reference = ReferenceRecord.named(record);
      datums = reference.datums(inputBytes(Work.labelled(work)));
    }

    Job job(CountingSink sink) {
      return new Job(
          Work.labelled(work),
          reference.writerSchema(),
          reference.tableSchema(),
          reference.mapped(),
          codec,
          parallelism,
          datums,
          sink);
    }
  }

  /**
   * Returns the size of the input in bytes of datums: 8 MiB, several times a core's second-level
   * cache. Objects that are encoded fit in that cache, because usually a program encodes an object
   * right after its creation.
   */
  public static long inputBytes(Work work) {
    return work == Work.ENCODE ? ENCODED_BYTES : INPUT_BYTES;
  }

  /** A thread's own pass and file. */
  @State(Scope.Thread)
  public static class Pass {
    private final CountingSink sink = new CountingSink();
    private LongSupplier pass = () -> 0;

    @Setup
    public void prepare(Input input) throws IOException {
      pass = Contender.labelled(input.contender).prepare(input.job(sink));
    }
  }

  @Benchmark
  public long pass(Pass state) {
    return state.pass.getAsLong() + state.sink.bytes();
  }
}
