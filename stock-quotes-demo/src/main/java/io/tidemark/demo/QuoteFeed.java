package io.tidemark.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * The quotes of one trading day, the same ones for the same seed. Their event times rise over the
 * day with a little disorder, as they do when many senders feed one topic. Has one owner.
 */
final class QuoteFeed {

  private static final long OPENING_MS = Instant.parse("2026-11-20T14:30:00Z").toEpochMilli();
  private static final long SESSION_MS = Duration.ofMinutes(390).toMillis();
  private static final int DISORDER_MS = 2_000;

  private static final String[] SYMBOLS = {
    "AAPL", "ADBE", "AMD", "AMZN", "AVGO", "AXP", "BA", "BAC", "CAT", "COST", "CRM", "CSCO", "CVX",
    "DIS", "GE", "GOOG", "GS", "HD", "HON", "IBM", "INTC", "JNJ", "JPM", "KO", "MCD", "META", "MMM",
    "MRK", "MS", "MSFT", "NFLX", "NKE", "NVDA", "ORCL", "PEP", "PFE", "PG", "QCOM", "T", "TSLA",
    "TXN", "UNH", "V", "VZ", "WFC", "WMT", "XOM"
  };

  private final long records;
  private final SplittableRandom random;
  private long next;

  /**
   * @param records how many quotes the day has
   */
  QuoteFeed(long records, long seed) {
    if (records < 1) {
      throw new IllegalArgumentException(records + " records are none to land; ask for 1 or more");
    }
    this.records = records;
    this.random = new SplittableRandom(seed);
  }

  boolean hasNext() {
    return next < records;
  }

  StockQuote next() {
    long sinceOpeningMs = (long) ((double) next / records * SESSION_MS);
    next++;
    int symbol = random.nextInt(SYMBOLS.length);
    int size = random.nextInt(1, 1_000);
    return new StockQuote(
        SYMBOLS[symbol],
        OPENING_MS + sinceOpeningMs - random.nextInt(DISORDER_MS),
        20 + symbol * 7 + random.nextInt(1_000) / 100.0,
        size,
        size + random.nextInt(10_000));
  }
}
