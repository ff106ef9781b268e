package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

final class QuoteFeedTest {

  @Test
  void quoteIsARecordOfTheSchema() throws Exception {
    Schema schema = new Schema.Parser().parse(Path.of("../config/stock-quote.avsc").toFile());
    assertThat(schema.getFields()).hasSize(78);
    StockQuote quote = QuoteFeed.ofDay(10, 1).next();

    GenericRecord record = quote.toRecord(schema);

    assertThat(GenericData.get().validate(schema, record)).isTrue();
    assertThat(record.get("symbol")).hasToString(quote.symbol());
    assertThat(record.get("timestamp")).isEqualTo(quote.timestampMs());
    assertThat(record.get("price")).isEqualTo(quote.price());
    assertThat(record.get("volume")).isEqualTo(quote.volume());
    assertThat(record.get("f60")).hasToString("value");
  }

  @Test
  void sameSeedGivesTheSameQuotes() {
    QuoteFeed one = QuoteFeed.ofDay(1_000, 42);
    QuoteFeed other = QuoteFeed.ofDay(1_000, 42);
    while (one.hasNext()) {
      assertThat(one.next()).isEqualTo(other.next());
    }
    assertThat(other.hasNext()).isFalse();
  }

  @Test
  void dayHasSevenHivePartitions() {
    QuoteFeed feed = QuoteFeed.ofDay(10_000, 42);
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
