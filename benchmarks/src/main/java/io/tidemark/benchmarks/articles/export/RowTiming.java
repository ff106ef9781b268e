package io.tidemark.benchmarks.articles.export;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.file.read.FastDataFileReader;
import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Job;
import io.tidemark.benchmarks.contenders.Work;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Loads or saves an Avro file once, in a cold JVM, and prints the CPU time and the wall time in
 * seconds, the highest resident memory in KiB, and the number of rows.
 *
 * <pre>
 * RowTiming load objects a.avro          all rows as objects in memory, by fast-avro
 * RowTiming load bytes a.avro            each row checked as bytes and discarded
 * RowTiming load stock a.avro            as objects, by Avro's library
 * RowTiming save objects a.avro b.avro   the rows of a, loaded before, to b; likewise bytes, stock
 * </pre>
 */
public final class RowTiming {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private RowTiming() {}

  /** The measured work, which returns the number of rows. */
  @FunctionalInterface
  private interface Body {
    long run() throws IOException;
  }

  /**
   * Measures; the arguments are load or save, objects, bytes or stock, a file, and the file to save
   * to.
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[2]);
    Body body =
        args[0].equals("load") ? load(args[1], file) : save(args[1], file, Path.of(args[3]));
    long beginCpu = PROCESS.getProcessCpuTime();
    long begin = System.nanoTime();
    long rows = body.run();
    double wall = (System.nanoTime() - begin) / 1e9;
    double cpu = (PROCESS.getProcessCpuTime() - beginCpu) / 1e9;
    System.out.printf(Locale.ROOT, "%.6f %.6f %d %d%n", cpu, wall, peakKib(), rows);
  }

  private static Body load(String by, Path file) {
    return switch (by) {
      case "objects" -> () -> objects(file).size();
      case "bytes" -> () -> bytes(file, null);
      case "stock" -> () -> stock(file).size();
      default -> throw new IllegalArgumentException("no way to load: " + by);
    };
  }

  private static Body save(String by, Path file, Path into) throws IOException {
    Schema schema = schema(file);
    switch (by) {
      case "objects" -> {
        List<GenericRecord> rows = stock(file);
        return () -> {
          var writer = new FastDatumWriter<GenericRecord>(schema);
          try (var out = ParallelFileWriter.builder(schema).parallelism(1).create(into)) {
            for (GenericRecord row : rows) {
              out.append(row, writer);
            }
            out.finish();
          }
          return rows.size();
        };
      }
      case "bytes" -> {
        var datums = new ArrayList<byte[]>();
        bytes(file, datums);
        byte[][] rows = datums.toArray(byte[][]::new);
        return () -> checkAndSave(schema, rows, into);
      }
      case "stock" -> {
        List<GenericRecord> rows = stock(file);
        return () -> {
          var writer = new GenericDatumWriter<GenericRecord>(schema);
          try (var out = new DataFileWriter<GenericRecord>(writer)) {
            out.create(schema, into.toFile());
            for (GenericRecord row : rows) {
              out.append(row);
            }
          }
          return rows.size();
        };
      }
      default -> throw new IllegalArgumentException("no way to save: " + by);
    }
  }

  private static long checkAndSave(Schema schema, byte[][] rows, Path into) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(into))) {
      var job = new Job(Work.FILE, schema, schema, "null", rows, out);
      if (Contender.OURS.prepare(job).getAsLong() <= 0) {
        throw new IllegalStateException("no bytes were written");
      }
    }
    return rows.length;
  }

  private static Schema schema(Path file) throws IOException {
    try (var reader = FastDataFileReader.open(file)) {
      return reader.schema();
    }
  }

  private static List<GenericRecord> objects(Path file) throws IOException {
    var rows = new ArrayList<GenericRecord>();
    var reader = FastDataFileReader.builder().parallelism(1).open(file);
    try (var objects = reader.objects(new FastDatumReader<GenericRecord>())) {
      objects.forEach(rows::add);
    }
    return rows;
  }

  private static List<GenericRecord> stock(Path file) throws IOException {
    var rows = new ArrayList<GenericRecord>();
    var datums = new GenericDatumReader<GenericRecord>();
    try (var reader = new DataFileReader<GenericRecord>(file.toFile(), datums)) {
      reader.forEach(rows::add);
    }
    return rows;
  }

  private static long bytes(Path file, @Nullable List<byte[]> kept) throws IOException {
    long rows = 0;
    try (var slices = FastDataFileReader.builder().parallelism(1).open(file)) {
      while (slices.next()) {
        if (kept != null) {
          byte[] row = new byte[slices.length()];
          System.arraycopy(slices.bytes(), slices.offset(), row, 0, row.length);
          kept.add(row);
        }
        rows++;
      }
    }
    return rows;
  }

  /**
   * Returns the highest resident memory of this process so far in KiB; 0 if the system is not
   * Linux.
   */
  private static long peakKib() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException notLinux) {
      return 0;
    }
  }
}
