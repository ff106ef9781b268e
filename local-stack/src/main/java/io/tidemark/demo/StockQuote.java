package io.tidemark.demo;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.avro.io.Encoder;

/**
 * A record of 78 fields, as a feed of stock quotes sends them: {@code config/stock-quote.avsc}. Its
 * other fields are made from these.
 *
 * @param timestampMs the time of the event, in milliseconds since 1970
 * @param volume the shares traded with this quote
 */
record StockQuote(String symbol, long timestampMs, double price, int size, long volume) {

  private static final int FILLER_FIELDS = 60;
  private static final DateTimeFormatter HIVE_PARTITION =
      DateTimeFormatter.ofPattern("'dt='yyyy-MM-dd'/hour='HH").withZone(ZoneOffset.UTC);

  /** Example: {@code dt=2026-11-20/hour=14}. */
  String hivePartition() {
    return HIVE_PARTITION.format(Instant.ofEpochMilli(timestampMs));
  }

  /** Writes the datum, field by field in the order of the schema. */
  void writeTo(Encoder out) throws IOException {
    out.writeString(symbol);
    out.writeLong(timestampMs);
    out.writeDouble(price + 0.01); // ask
    out.writeInt(size);
    out.writeDouble(price - 0.01); // bid
    out.writeInt(size + 100);
    out.writeDouble(price * 1.02); // day's high
    out.writeDouble(price * 0.98); // day's low
    out.writeInt(size);
    out.writeLong(timestampMs - 7); // last trade
    out.writeDouble(price * 0.99); // open
    out.writeDouble(price * 1.01); // previous close
    out.writeDouble(price);
    out.writeDouble(price * 0.95); // average of 50 days
    out.writeDouble(price * 0.90); // average of 200 days
    out.writeLong(volume);
    out.writeDouble(price * 1.40); // year's high
    out.writeDouble(price * 0.60); // year's low
    for (int field = 0; field < FILLER_FIELDS; field++) {
      out.writeString("value");
    }
  }
}
