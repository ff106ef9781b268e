package io.tidemark.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * A feed of quotes, which are the same for the same seed. Their event times increase with a little
 * disorder, as if there were many producers. Used by one thread.
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
  private final LongUnaryOperator timeMs;
  private final SplittableRandom random;
  private long next;

  /**
   * @param timeMs returns the time of a quote by its number from 0
   */
  private QuoteFeed(long records, LongUnaryOperator timeMs, long seed) {
    this.records = records;
    this.timeMs = timeMs;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Returns the quotes of one trading day.
   *
   * @param records the number of quotes of the day
   */
  static QuoteFeed ofDay(long records, long seed) {
    if (records < 1) {
      throw new IllegalArgumentException(records + " records: too few; use 1 or more");
    }
    return new QuoteFeed(
        records, number -> OPENING_MS + (long) ((double) number / records * SESSION_MS), seed);
  }

  /**
   * Returns an endless feed with the present time: {@link #next} waits until the next quote is due.
   *
   * @param ratePerSecond the number of quotes a second
   */
  static QuoteFeed live(long ratePerSecond, long seed) {
    if (ratePerSecond < 1) {
      throw new IllegalArgumentException(ratePerSecond + " a second: too few; use 1 or more");
    }
    long start = System.currentTimeMillis();
    return new QuoteFeed(
        Long.MAX_VALUE, number -> awaited(start + number * 1_000 / ratePerSecond), seed);
  }

  private static long awaited(long dueMs) {
    long waitMs = dueMs - System.currentTimeMillis();
    if (waitMs > 0) {
      try {
        Thread.sleep(waitMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return dueMs;
  }

  boolean hasNext() {
    return next < records;
  }

  StockQuote next() {
    long time = timeMs.applyAsLong(next);
    next++;
    int symbol = random.nextInt(SYMBOLS.length);
    int size = random.nextInt(1, 1_000);
    return new StockQuote(
        SYMBOLS[symbol],
        time - random.nextInt(DISORDER_MS),
        20 + symbol * 7 + random.nextInt(1_000) / 100.0,
        size,
        size + random.nextInt(10_000));
  }
}
