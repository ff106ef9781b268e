package io.tidemark.benchmarks.contenders;

import static io.tidemark.benchmarks.contenders.Work.DECODE;
import static io.tidemark.benchmarks.contenders.Work.ENCODE;
import static io.tidemark.benchmarks.contenders.Work.FILE;
import static io.tidemark.benchmarks.contenders.Work.ONE_FILE;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** A library, or an upper limit, that does some of the works. */
public enum Contender {
  /** fast-avro as the connector uses it, or for objects its readers and writers. */
  OURS("ours") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return switch (job.work()) {
        case DECODE, ENCODE -> AvroPass.compiled(job);
        case ONE_FILE -> new OneFilePass(job);
        case CHECK_COPY, FILE, REWRITE -> OursPass.compiled(job);
      };
    }
  },
  /** fast-avro with only the interpreter of plans. */
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
  /** The same, with one reused record. */
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
  /** Avro's DataFileWriter with encoded datums, which it does not check. */
  APPEND_ENCODED("appendEncoded") {
    @Override
    LongSupplier passOf(Job job) throws IOException {
      return AvroPass.appendEncoded(job);
    }
  },
  /** The upper limit: datums are copied into blocks and compressed, not checked or rewritten. */
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

  /** Returns the contender's name in the results. Example: {@code ours-interpreter}. */
  public String label() {
    return label;
  }

  /** Returns whether it does a work on a reference record with a codec. */
  public boolean does(Work work, String record, String codec) {
    if (work == ONE_FILE) {
      return this == OURS;
    }
    return switch (this) {
      case OURS_INTERPRETER, MEMCPY -> work != DECODE && work != ENCODE;
      case OURS, STOCK -> true;
      case STOCK_REUSE, FAST_READER -> work != ENCODE;
      // Its version of Avro has no zstandard, it cannot write a fixed in a union, and it falls back
      // to Avro's reader if a type is promoted.
      case FAST_SERDE ->
          !codec.equals("zstandard")
              && !record.matches(
                  "Nested-large-.*-unions|StockQuote-v1-v2|Parcel-v1-v2|.*-types|Map-.*");
      case APPEND_ENCODED -> work == FILE;
    };
  }

  /**
   * Prepares the job: all code is generated when this returns. Each call of the result is a pass
   * over all datums, and ends the last block; its value only proves that work was done. A pass is
   * used by one thread. Its memory outside of the heap is not released before the JVM ends.
   */
  public final LongSupplier prepare(Job job) throws IOException {
    return passOf(job);
  }

  abstract LongSupplier passOf(Job job) throws IOException;

  /** Returns the contender with a label. */
  public static Contender labelled(String label) {
    return Arrays.stream(values())
        .filter(contender -> contender.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no contender \"" + label + '"'));
  }
}
