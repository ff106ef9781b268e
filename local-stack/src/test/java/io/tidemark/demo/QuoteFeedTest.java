package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

final class QuoteFeedTest {

  @Test
  void quoteIsEncodedAsTheSchemaSays() throws Exception {
    Schema schema = new Schema.Parser().parse(Path.of("../config/stock-quote.avsc").toFile());
    assertThat(schema.getFields()).hasSize(78);
    StockQuote quote = new QuoteFeed(10, 1).next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    quote.writeTo(encoder);
    encoder.flush();

    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null);
    GenericRecord read = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
    assertThat(decoder.isEnd()).isTrue();
    assertThat(read.get("symbol")).hasToString(quote.symbol());
    assertThat(read.get("timestamp")).isEqualTo(quote.timestampMs());
    assertThat(read.get("price")).isEqualTo(quote.price());
    assertThat(read.get("volume")).isEqualTo(quote.volume());
    assertThat(read.get("f60")).hasToString("value");
  }

  @Test
  void sameSeedGivesTheSameQuotes() {
    QuoteFeed one = new QuoteFeed(1_000, 42);
    QuoteFeed other = new QuoteFeed(1_000, 42);
    while (one.hasNext()) {
      assertThat(one.next()).isEqualTo(other.next());
    }
    assertThat(other.hasNext()).isFalse();
  }

  @Test
  void dayHasSevenHivePartitions() {
    QuoteFeed feed = new QuoteFeed(10_000, 42);
    Tally tally = new Tally();
    while (feed.hasNext()) {
      tally.add(feed.next());
    }
    assertThat(tally.records()).isEqualTo(10_000);
    assertThat(tally.recordsByHivePartition())
        .hasSize(7)
        .containsKeys("dt=2026-11-20/hour=14", "dt=2026-11-20/hour=20");
    assertThat(tally.recordsByHivePartition().values().stream().mapToLong(n -> n).sum())
        .isEqualTo(10_000);
  }
}
