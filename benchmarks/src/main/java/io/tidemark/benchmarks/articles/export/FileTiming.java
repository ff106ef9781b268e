package io.tidemark.benchmarks.articles.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.file.SeekableFileInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads and writes Avro files in memory by the commands of its standard input, one a line. So one
 * warm JVM can take turns with other programs.
 *
 * <pre>
 * read ours a.avro             prints the seconds to read all records
 * write ours a.avro            prints the seconds to write all records
 * copy ours a.avro b.avro      writes the records of a into b, deflated
 * check ours b.avro a.avro     fails unless both have the same records; prints their number
 * </pre>
 */
public final class FileTiming {
  /** The first schema object of equal ones, because code is compiled for an object. */
  private final Map<Schema, Schema> schemas = new HashMap<>();

  private Path loaded = Path.of("");
  private byte[] bytes = {};
  private Schema schema = Schema.create(Schema.Type.NULL);
  private List<GenericRecord> records = List.of();

  private FileTiming() {}

  /** Prints one line for each line of the standard input. */
  public static void main(String[] args) throws IOException {
    var timing = new FileTiming();
    var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(timing.answer(line.split(" ")));
    }
  }

  private String answer(String[] words) throws IOException {
    FileLibrary library = FileLibrary.labelled(words[1]);
    Path file = Path.of(words[2]);
    return switch (words[0]) {
      case "read" -> {
        load(file, false);
        long begin = System.nanoTime();
        long count = read(library);
        yield seconds(begin) + " " + count;
      }
      case "write" -> {
        load(file, true);
        var out = new ByteArrayOutputStream(bytes.length + 1024);
        long begin = System.nanoTime();
        library.write(schema, "null", records, out);
        yield seconds(begin) + " " + records.size();
      }
      case "copy" -> {
        load(file, true);
        try (var out = Files.newOutputStream(Path.of(words[3]))) {
          library.write(schema, "deflate", records, out);
        }
        yield "0 " + records.size();
      }
      case "check" -> "0 " + check(library, file, Path.of(words[3]));
      default -> throw new IllegalArgumentException("no command " + words[0]);
    };
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private long read(FileLibrary library) throws IOException {
    long count = 0;
    try (FileReader<GenericRecord> file = library.open(schema, new SeekableByteArrayInput(bytes))) {
      for (GenericRecord each : file) {
        count += each.getSchema().getFields().isEmpty() ? 0 : 1;
      }
    }
    return count;
  }

  /**
   * Loads a file with its schema, and its objects if needed, and caches them until another file is
   * requested.
   */
  private void load(Path file, boolean objects) throws IOException {
    if (!file.equals(loaded)) {
      records = List.of();
      bytes = Files.readAllBytes(file);
      Schema ofFile = schemaOf(file);
      schema = schemas.computeIfAbsent(ofFile, first -> first);
      loaded = file;
    }
    if (objects && records.isEmpty()) {
      var all = new ArrayList<GenericRecord>();
      try (FileReader<GenericRecord> reader =
          FileLibrary.FASTREADER.open(schema, new SeekableByteArrayInput(bytes))) {
        reader.forEach(all::add);
      }
      records = all;
    }
  }

  private static Schema schemaOf(Path file) throws IOException {
    try (var reader = new DataFileReader<Object>(file.toFile(), new GenericDatumReader<>())) {
      return reader.getSchema();
    }
  }

  private long check(FileLibrary library, Path file, Path reference) throws IOException {
    load(reference, true);
    long count = 0;
    try (FileReader<GenericRecord> reader =
        library.open(schema, new SeekableFileInput(file.toFile()))) {
      for (GenericRecord each : reader) {
        if (count == records.size() || !each.equals(records.get((int) count))) {
          throw new IllegalStateException(
              "%s: record %d is not that of %s: %s".formatted(file, count, reference, each));
        }
        count++;
      }
    }
    if (count != records.size()) {
      throw new IllegalStateException(
          "%s has %d records and %s has %d".formatted(file, count, reference, records.size()));
    }
    return count;
  }
}
