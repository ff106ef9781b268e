package io.tidemark.benchmarks.records;

import io.tidemark.avro.mapping.SchemaMapping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;

/**
 * A kind of record for measurements: its schemas, and a generator of its datums.
 *
 * @param name the name in the results
 * @param writerSchema the schema of the datums
 * @param tableSchema the schema after rewriting; for other works equal to the writer's
 * @param mapped how datums are converted to the table schema, if resolution is not enough
 */
public record ReferenceRecord(
    String name,
    Schema writerSchema,
    Schema tableSchema,
    Optional<Mapped> mapped,
    Generator generator) {

  private static final long SEED = 20_261_121;

  /** Writes one datum with random values. */
  @FunctionalInterface
  public interface Generator {
    void write(SplittableRandom random, Encoder out) throws IOException;
  }

  /** Creates a record whose datums are resolved to the table schema. */
  public ReferenceRecord(
      String name, Schema writerSchema, Schema tableSchema, Generator generator) {
    this(name, writerSchema, tableSchema, Optional.empty(), generator);
  }

  /**
   * A conversion.
   *
   * @param byHand the same conversion of an object of Avro
   */
  public record Mapped(SchemaMapping mapping, Function<IndexedRecord, Object> byHand) {}

  /** Returns a record that is only read and written in its own schema. */
  static ReferenceRecord of(String name, Schema schema, Generator generator) {
    return new ReferenceRecord(name, schema, schema, generator);
  }

  /** Returns all reference records. */
  public static List<ReferenceRecord> all() {
    var all = new ArrayList<ReferenceRecord>();
    all.add(StockQuotes.stockQuote78());
    all.add(Users.user81());
    for (int fields : List.of(1, 10, 100, 300, 500)) {
      all.add(MixedRecords.mix(fields));
    }
    all.addAll(NestedRecords.all());
    all.add(AirlineRows.airline31());
    all.add(Parcels.parcel650());
    all.add(StockQuotes.evolved());
    all.add(StockQuotes.evolvedFields());
    all.add(StockQuotes.evolvedTypes());
    all.add(Parcels.evolved());
    all.addAll(MappedRecords.all());
    return all;
  }

  /** Returns the wide records, whose objects are compared with Avro's in ten JVMs. */
  public static List<ReferenceRecord> wide() {
    return WideRecords.all();
  }

  /** Returns the record of 25 nested records with 600 unions, used only for its article. */
  public static ReferenceRecord realLife() {
    return RealLifeRecord.realLife();
  }

  /**
   * Returns the record with a name.
   *
   * @throws IllegalArgumentException if there is none, with the existing names
   */
  public static ReferenceRecord named(String name) {
    return Stream.concat(all().stream(), wide().stream())
        .filter(record -> record.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no reference record \"%s\", only %s"
                        .formatted(name, all().stream().map(ReferenceRecord::name).toList())));
  }

  /** Returns the first datums of the record with a total of at least {@code bytes} bytes. */
  public byte[][] datums(long bytes) {
    var random = new SplittableRandom(SEED);
    var buffer = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(buffer, null);
    var datums = new ArrayList<byte[]>();
    try {
      for (long made = 0; made < bytes; made += buffer.size()) {
        buffer.reset();
        generator.write(random, encoder);
        encoder.flush();
        datums.add(buffer.toByteArray());
      }
    } catch (IOException e) {
      // Cannot happen: the stream is in memory.
      throw new UncheckedIOException(e);
    }
    return datums.toArray(byte[][]::new);
  }

  /** Returns a text of random lower and upper case letters. */
  static String letters(SplittableRandom random, int length) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      int letter = random.nextInt(52);
      text.append((char) (letter < 26 ? 'a' + letter : 'A' + letter - 26));
    }
    return text.toString();
  }
}
