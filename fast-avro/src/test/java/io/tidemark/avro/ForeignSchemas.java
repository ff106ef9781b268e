package io.tidemark.avro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Schemas of other projects, which src/test/foreign/run fetches, and random data of them. */
public final class ForeignSchemas {
  /** The system property that has the directory with the schemas. */
  public static final String DIRECTORY = "io.tidemark.avro.foreign";

  private ForeignSchemas() {}

  public static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty(DIRECTORY)))) {
      return files.filter(file -> file.toString().endsWith(".avsc")).sorted().toList();
    }
  }

  /** Returns the schema, or nothing: some files name types of others, or are invalid on purpose. */
  public static Optional<Schema> parse(Path file) {
    try {
      return Optional.of(new Schema.Parser().parse(Files.readString(file)));
    } catch (RuntimeException e) { // Also of other classes, for a type that is in another file.
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns random data, or nothing: the data of some recursive records never end. */
  public static List<@Nullable Object> data(Schema schema, RandomAvro avro, int count) {
    List<@Nullable Object> data = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        data.add(avro.datum(schema));
      }
    } catch (StackOverflowError | IllegalArgumentException e) { // The latter: enums of no symbol.
      return List.of();
    }
    return data;
  }
}
