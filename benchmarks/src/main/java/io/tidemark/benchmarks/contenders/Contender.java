package io.tidemark.benchmarks.contenders;

import static io.tidemark.benchmarks.contenders.Work.DECODE;
import static io.tidemark.benchmarks.contenders.Work.ENCODE;
import static io.tidemark.benchmarks.contenders.Work.FILE;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** A library, or a limit, that does some of the works. */
public enum Contender {
  /** fast-avro, as the connector uses it; with objects its readers and writers. */
  OURS("ours") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return job.work() == DECODE || job.work() == ENCODE
          ? AvroPass.compiled(job)
          : OursPass.compiled(job);
    }
  },
  /** fast-avro by the interpreter of plans alone. */
  OURS_INTERPRETER("ours-interpreter") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return OursPass.interpreted(job);
    }
  },
  /** Avro's own generic reader and writer. */
  STOCK("stock") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return AvroPass.of(job, false, false);
    }
  },
  /** The same, filling one record again and again. */
  STOCK_REUSE("stock-reuse") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return AvroPass.of(job, false, true);
    }
  },
  /** Avro's generic fast reader, and its writer. */
  FAST_READER("fastreader") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return AvroPass.of(job, true, false);
    }
  },
  /** RTB House's avro-fastserde 1.0.2 on Avro 1.8.2. */
  FAST_SERDE("fastserde") {
    @Override
    LongSupplier passOf(Job job) {
      return FastSerde.pass(job);
    }
  },
  /** Avro's DataFileWriter given the datums as they are: nothing is checked. */
  APPEND_ENCODED("appendEncoded") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return AvroPass.appendEncoded(job);
    }
  },
  /** The limit: datums copied into blocks, and the codec. Nothing is checked or rewritten. */
  MEMCPY("memcpy") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return new MemcpyPass(job);
    }
  };

  private final String label;

  Contender(String label) {
    this.label = label;
  }

  /** The contender as the results name it. Example: {@code ours-interpreter}. */
  public String label() {
    return label;
  }

  /** Whether it does a work on a reference record with a codec. */
  public boolean does(Work work, String record, String codec) {
    return switch (this) {
      case OURS_INTERPRETER, MEMCPY -> work != DECODE && work != ENCODE;
      case OURS, STOCK -> true;
      case STOCK_REUSE, FAST_READER -> work != ENCODE;
      // Its Avro is older than zstandard in Avro files, it cannot write a fixed in a union, and it
      // falls back on Avro's reader where a type is promoted.
      case FAST_SERDE ->
          !codec.equals("zstandard")
              && !record.matches("Nested-large-.*-unions|StockQuote-v1-v2|Parcel-v1-v2|.*-types");
      case APPEND_ENCODED -> work == FILE;
    };
  }

  /**
   * Gets ready to do the job: what is compiled stands when this returns. Each call of the result is
   * a pass over all datums, and ends the last block; its value only says that something was done. A
   * pass is used by one thread; what it holds outside of the heap is held until the JVM ends.
   */
  public final LongSupplier prepare(Job job) throws IOException {
    return passOf(job);
  }

  abstract LongSupplier passOf(Job job) throws IOException;

  /** The contender of a label. */
  public static Contender labelled(String label) {
    return Arrays.stream(values())
        .filter(contender -> contender.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no contender \"" + label + '"'));
  }
}
