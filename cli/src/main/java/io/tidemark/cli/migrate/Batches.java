package io.tidemark.cli.migrate;

import java.util.Optional;

/** Translates the settings that decided when the old sink commits. */
final class Batches {
  private static final String FLUSH = "flush.size";
  private static final String ROTATE = "rotate.interval.ms";
  private static final String SCHEDULE = "rotate.schedule.interval.ms";
  private static final String INTERVAL = "batch.interval.ms";
  private static final long SHORTEST_MS = 1_000;
  private static final long SHORT_MS = 30_000;

  /** A longer time than this rarely ended a file before {@code flush.size} did. */
  private static final long LONG_MS = 3_600_000;

  private static final long LONGEST_MS = 86_400_000;

  /** A file with fewer records is not worth a limit. */
  private static final long FEW_RECORDS = 10_000;

  private Batches() {}

  static void apply(Draft draft) {
    Optional<String> flush = draft.take(FLUSH);
    if (flush.flatMap(Batches::number).filter(records -> records < FEW_RECORDS).isPresent()) {
      draft.change(FLUSH, Draft.text("flush.small"));
    } else {
      flush.ifPresent(records -> draft.keep(FLUSH, records));
      flush.ifPresent(records -> draft.change(FLUSH, Draft.text("flush.kept")));
    }
    Optional<String> rotate = draft.take(ROTATE);
    Optional<String> interval =
        rotate
            .filter(Batches::isSet)
            .or(() -> draft.peek(SCHEDULE).filter(Batches::isSet))
            .or(() -> draft.peek(INTERVAL));
    draft.take(INTERVAL);
    boolean decidedByFlush =
        flush.isPresent()
            && interval.flatMap(Batches::number).filter(ms -> ms > LONG_MS).isPresent();
    interval.filter(unused -> !decidedByFlush).ifPresent(ms -> interval(draft, ms));
    rotate.ifPresent(unused -> draft.change(ROTATE, Draft.text("rotate")));
    if (!draft.has(INTERVAL)) {
      draft.check(INTERVAL, Draft.text(decidedByFlush ? "interval.flush" : "interval.default"));
    }
  }

  private static void interval(Draft draft, String text) {
    Optional<Long> ms = number(text);
    if (ms.isPresent()) {
      long bounded = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, ms.get()));
      draft.set(INTERVAL, Long.toString(bounded), Draft.text("interval"));
      if (bounded < SHORT_MS) {
        draft.check(INTERVAL, Draft.text("interval.short"));
      }
    } else {
      draft.keep(INTERVAL, text);
      draft.change(INTERVAL, Draft.text("interval"));
    }
  }

  /** Whether an interval is not -1, which means none. */
  private static boolean isSet(String text) {
    return number(text).map(ms -> ms > 0).orElse(Draft.isProvided(text));
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.valueOf(text.trim()));
    } catch (NumberFormatException e) {
      return Optional.empty(); // Validation reports it, if the key remains.
    }
  }
}
