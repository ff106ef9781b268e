package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.Uncounted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the records of a batch with its announcement.
 *
 * @param since the start of counting. Earlier batches were not counted from their beginning
 * @param uncounted the topics with records that were not counted
 * @param ended the topics that no later snapshot has: what is missing there was lost, is counted
 *     later, or was never sent
 */
record BatchComparison(
    AnnouncedBatch batch,
    Optional<Instant> since,
    Map<String, Uncounted> uncounted,
    Set<String> ended) {
  /** Maximum number of topics in the reason why a batch is not complete. */
  private static final int NAMED_MOST = 10;

  private static final String ENDED =
      ", and the topic was deleted, or no longer has a table here, so that records which had not landed are not counted";

  /** Returns whether a topic has more records than were announced. */
  static boolean over(AnnouncedBatch batch) {
    return batch.records().entrySet().stream()
        .anyMatch(each -> batch.counted().of(each.getKey()).total() > each.getValue());
  }

  /**
   * Returns why a batch is not complete; empty if it is complete. Call this method only after the
   * accounts of all records of the batch that Kafka had were read. {@code OVER} does not depend on
   * uncounted records. {@code SHORT} and complete require that all records were counted; otherwise
   * the result is {@code UNKNOWN}.
   */
  Optional<HeldBecause> held() {
    List<String> unknown = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, Long> each : batch.records().entrySet()) {
      String topic = each.getKey();
      long announced = each.getValue();
      long counted = batch.counted().of(topic).total();
      String figures = "%s: %d counted of %d announced".formatted(topic, counted, announced);
      Optional<String> doubt = doubt(topic);
      if (counted > announced) {
        wrong.add(figures + ", " + (counted - announced) + " too many");
      } else if (doubt.isPresent()) {
        unknown.add(figures + ", and " + doubt.get());
      } else if (counted < announced && ended.contains(topic)) {
        unknown.add(figures + ENDED);
      } else if (counted < announced) {
        wrong.add(figures + ", " + (announced - counted) + " missing");
      }
    }
    if (over(batch)) {
      return Optional.of(new HeldBecause("OVER", named(wrong)));
    }
    if (!unknown.isEmpty()) {
      unknown.addAll(wrong);
      return Optional.of(new HeldBecause("UNKNOWN", named(unknown)));
    }
    return wrong.isEmpty() ? Optional.empty() : Optional.of(new HeldBecause("SHORT", named(wrong)));
  }

  private Optional<String> doubt(String topic) {
    if (since.filter(batch.sentAt()::isBefore).isPresent()) {
      return Optional.of(
          "it was announced before the ledger began to count batches at " + since.get());
    }
    return Optional.ofNullable(uncounted.get(topic))
        .filter(
            each ->
                !each.at().isBefore(batch.counted().since().minus(AnnouncedBatchCounter.SPREAD)))
        .map(each -> each.reason() + " at " + each.at());
  }

  private static String named(List<String> topics) {
    String text = String.join("; ", topics.subList(0, Math.min(NAMED_MOST, topics.size())));
    return topics.size() > NAMED_MOST
        ? text + "; and " + (topics.size() - NAMED_MOST) + " more topics"
        : text;
  }
}
