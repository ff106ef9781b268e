package io.tidemark.avro.file;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.jspecify.annotations.Nullable;

/**
 * Files of random records in random chunks, read back by Avro's library. Each case follows from its
 * seed.
 */
final class ContainerFilePropertyTest {
  private static final ExecutorService POOL = Executors.newFixedThreadPool(3);
  private static final Map<String, CompressorPool> COMPRESSORS =
      BlockCodec.NAMES.stream()
          .collect(toMap(name -> name, name -> new CompressorPool(BlockCodec.of(name))));

  @AfterContainer
  static void stopPool() {
    POOL.shutdownNow();
    COMPRESSORS.values().forEach(CompressorPool::close);
  }

  /** Records of a random schema, as bytes and as Avro reads them. */
  private record Records(Schema schema, List<byte[]> encoded, List<@Nullable Object> decoded) {
    static Records of(RandomAvro avro) throws IOException {
      Schema schema = avro.schema();
      var encoded = new ArrayList<byte[]>();
      var decoded = new ArrayList<@Nullable Object>();
      for (int i = avro.random().nextInt(200); i > 0; i--) {
        byte[] datum = AvroLibrary.encode(schema, avro.datum(schema));
        encoded.add(datum);
        decoded.add(AvroLibrary.decode(schema, datum));
      }
      return new Records(schema, encoded, decoded);
    }
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void runsOfManyWorkersAreReadInFileOrder(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Records records = Records.of(avro);
    int blockSizeBytes = 1 + random.nextInt(600);
    var header = header(records.schema(), random);
    var sequence = new BlockSequence(compressors(header), blockSizeBytes, POOL);
    var file = new ByteArrayOutputStream();
    file.write(header.encoded());
    long blockBytes = 0;

    for (CompletableFuture<BlockRun> run : runs(records.encoded(), header, random)) {
      sequence.append(run.join());
      if (random.nextBoolean()) {
        blockBytes += write(sequence.take(), header, file);
      }
    }
    sequence.finish().join();
    blockBytes += write(sequence.take(), header, file);

    assertThat(read(records.schema(), file.toByteArray())).isEqualTo(records.decoded());
    assertThat(sequence.records()).isEqualTo(records.encoded().size());
    assertThat(sequence.rawBytes())
        .isEqualTo(records.encoded().stream().mapToLong(datum -> datum.length).sum());
    assertThat(sequence.bufferedBytes()).isZero();
    assertThat(file.size()).isEqualTo(header.encoded().length + blockBytes);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void fileOfOneThreadIsThatOfMany(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Records records = Records.of(avro);
    var settings =
        ParallelFileWriter.builder(records.schema())
            .codec(BlockCodec.of(BlockCodec.NAMES.get(random.nextInt(BlockCodec.NAMES.size()))))
            .syncMarker(new byte[ContainerFileHeader.SYNC_BYTES])
            .blockSizeBytes(1 + random.nextInt(600))
            .pool(POOL);

    byte[] serial = write(records.encoded(), settings.parallelism(1));
    byte[] parallel =
        write(records.encoded(), settings.parallelism(2 + random.nextInt(3)).serialBelowBytes(0));

    assertThat(read(records.schema(), serial)).isEqualTo(records.decoded());
    assertThat(parallel).isEqualTo(serial);
  }

  private static byte[] write(List<byte[]> datums, ParallelFileWriter.Builder settings)
      throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer = settings.writeTo(file)) {
      for (byte[] datum : datums) {
        writer.append(datum, 0, datum.length);
      }
      writer.finish();
    }
    return file.toByteArray();
  }

  private static List<CompletableFuture<BlockRun>> runs(
      List<byte[]> datums, ContainerFileHeader header, Random random) {
    int blockSizeBytes = 1 + random.nextInt(600);
    var runs = new ArrayList<CompletableFuture<BlockRun>>();
    for (int from = 0; from < datums.size(); ) {
      int to = Math.min(datums.size(), from + random.nextInt(40));
      List<byte[]> chunk = datums.subList(from, to);
      runs.add(
          CompletableFuture.supplyAsync(
              () -> {
                var filler = new BlockFiller(compressors(header), blockSizeBytes);
                chunk.forEach(datum -> filler.append(datum, 0, datum.length));
                return filler.finish();
              },
              POOL));
      from = to;
    }
    return runs;
  }

  private static CompressorPool compressors(ContainerFileHeader header) {
    return Objects.requireNonNull(COMPRESSORS.get(header.codec().name()));
  }

  private static ContainerFileHeader header(Schema schema, Random random) {
    var sync = new byte[ContainerFileHeader.SYNC_BYTES];
    random.nextBytes(sync);
    return new ContainerFileHeader(
        schema,
        BlockCodec.of(BlockCodec.NAMES.get(random.nextInt(BlockCodec.NAMES.size()))),
        Map.of(),
        sync);
  }

  private static long write(
      List<Block> blocks, ContainerFileHeader header, ByteArrayOutputStream file)
      throws IOException {
    long bytes = 0;
    for (Block block : blocks) {
      block.writeTo(file, header);
      bytes += block.encodedBytes();
    }
    return bytes;
  }

  private static List<@Nullable Object> read(Schema schema, byte[] file) throws IOException {
    var records = new ArrayList<@Nullable Object>();
    var datumReader = new GenericDatumReader<Object>(schema, schema, new GenericData());
    try (var reader = new DataFileReader<>(new SeekableByteArrayInput(file), datumReader)) {
      reader.forEach(records::add);
    }
    return records;
  }
}
