package io.tidemark.benchmarks.contenders;

import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.function.LongSupplier;

/** Calls avro-fastserde through its own class loader. */
final class FastSerde {
  private static final String PASS = "io.tidemark.benchmarks.fastserde.FastSerdePass";

  private FastSerde() {}

  /** Loaded once in a JVM. */
  private static final class Loaded {
    static final Class<?> CLASS = IsolatedModule.FAST_SERDE.load(PASS);
  }

  static LongSupplier pass(Job job) {
    try {
      return (LongSupplier)
          Loaded.CLASS
              .getMethod(
                  "of",
                  String.class,
                  String.class,
                  String.class,
                  String.class,
                  String.class,
                  int.class,
                  byte[][].class,
                  OutputStream.class)
              .invoke(
                  null,
                  job.work().label(),
                  job.writerSchema().toString(),
                  job.tableSchema().toString(),
                  job.codec(),
                  IsolatedModule.FAST_SERDE.classPath(),
                  Job.BLOCK_SIZE_BYTES,
                  job.datums(),
                  job.sink());
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("fastserde cannot do " + job.work().label(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(PASS + " is not what it was built as", e);
    }
  }
}
