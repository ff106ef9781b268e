package io.tidemark.demo;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;

/**
 * A record of 78 fields, like those of a feed of stock quotes: {@code config/stock-quote.avsc}. Its
 * other fields are derived from these.
 *
 * @param timestampMs the time of the event, in milliseconds since 1970
 * @param volume the shares traded with this quote
 */
record StockQuote(String symbol, long timestampMs, double price, int size, long volume) {

  private static final int FILLER_FIELDS = 60;
  private static final Utf8 FILLER = new Utf8("value");
  private static final DateTimeFormatter HIVE_PARTITION =
      DateTimeFormatter.ofPattern("'dt='yyyy-MM-dd'/hour='HH").withZone(ZoneOffset.UTC);

  /** Returns the path of its Hive partition. Example: {@code dt=2026-11-20/hour=14}. */
  String hivePartition() {
    return HIVE_PARTITION.format(Instant.ofEpochMilli(timestampMs));
  }

  /** Returns the record of the schema, with its fields set by position. */
  GenericRecord toRecord(Schema schema) {
    var record = new GenericData.Record(schema);
    Object[] first = {
      new Utf8(symbol),
      timestampMs,
      price + 0.01, // ask
      size,
      price - 0.01, // bid
      size + 100,
      price * 1.02, // day's high
      price * 0.98, // day's low
      size,
      timestampMs - 7, // last trade
      price * 0.99, // open
      price * 1.01, // previous close
      price,
      price * 0.95, // average of 50 days
      price * 0.90, // average of 200 days
      volume,
      price * 1.40, // year's high
      price * 0.60 // year's low
    };
    for (int field = 0; field < first.length; field++) {
      record.put(field, first[field]);
    }
    for (int field = 0; field < FILLER_FIELDS; field++) {
      record.put(first.length + field, FILLER);
    }
    return record;
  }
}
