package io.tidemark.benchmarks.articles.fastavrowrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.articles.fastavrowrite.WriteMode.Library;
import io.tidemark.benchmarks.articles.fastavrowrite.WriteMode.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QuoteWriterTest {
  private static final int RECORDS = 3_000;

  @ParameterizedTest
  @EnumSource
  void everyLibraryWritesTheSameQuotes(Library library) throws IOException {
    var writer = new QuoteWriter(1_000);
    var expected = new ByteArrayOutputStream();
    writer.write(WriteMode.file(Library.STOCK, 1), RECORDS, expected);
    var made = new ByteArrayOutputStream();
    writer.write(WriteMode.file(library, 4), RECORDS, made);

    assertThat(quotes(made)).hasSize(RECORDS).isEqualTo(quotes(expected));
  }

  @Test
  void aFileOfOneThreadAndAParallelOneHoldTheSame() throws IOException {
    var writer = new QuoteWriter(1_000);
    var serial = new ByteArrayOutputStream();
    var parallel = new ByteArrayOutputStream();
    writer.write(false, 2, RECORDS, serial);
    writer.write(true, 2, RECORDS, parallel);

    assertThat(quotes(parallel)).hasSize(RECORDS).isEqualTo(quotes(serial));
  }

  @ParameterizedTest
  @EnumSource(names = "HDFS", mode = EnumSource.Mode.EXCLUDE)
  void aDestinationTakesFilesOneAfterTheOther(Target target, @TempDir Path directory)
      throws IOException {
    var mode = new WriteMode(Library.OURS, 2, 8 << 10, target, 0);
    try (Destination destination = Destination.of(mode, directory.toString())) {
      for (int file = 0; file < 3; file++) {
        try (OutputStream stream = destination.open()) {
          stream.write(new byte[100_000]);
        }
      }
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aModeIsReadAsItsArgumentsSay() {
    var mode = new WriteMode(Library.OURS_ENCODED, 16, 8 << 10, Target.SOCKET, 64 << 10);

    assertThat(WriteMode.parse(mode.arguments())).isEqualTo(mode);
    assertThat(mode)
        .hasToString("ours encoded, parallelism 16, socket, buffer 8 KiB, send buffer 64 KiB");
  }

  private static List<Object> quotes(ByteArrayOutputStream file) throws IOException {
    var quotes = new ArrayList<Object>();
    try (var reader =
        new DataFileReader<Object>(
            new SeekableByteArrayInput(file.toByteArray()), new GenericDatumReader<>())) {
      reader.forEach(quotes::add);
    }
    return quotes;
  }
}
