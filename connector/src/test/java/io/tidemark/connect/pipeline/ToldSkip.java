package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.log.OperatorConsent;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator who skips a record of {@code quotes-0} exactly as the error of a stopped task says.
 */
final class ToldSkip {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);

  /** Example: {@code alter its offset of quotes-0 to 21 (PATCH /connectors/quotes/offsets)}. */
  private static final Pattern SKIP =
      Pattern.compile(
          "To skip it, stop the connector, alter its offset of (\\S+) to (\\d+) \\(PATCH "
              + "/connectors/quotes/offsets\\), and resume it; all records before it have landed\\.");

  private ToldSkip() {}

  static void apply(String error, FakeTopic topic, Storage storage) throws Exception {
    Matcher told = SKIP.matcher(error);
    assertThat(told.find()).as("the error says how to skip the record: %s", error).isTrue();
    assertThat(told.group(1)).isEqualTo(QUOTES.toString());
    new OperatorSkip(topic, OperatorConsent.NONE, Clock.systemUTC())
        .apply(
            List.of(
                new OperatorSkip.OffsetRequest(
                    QUOTES,
                    Optional.of(Long.parseLong(told.group(2))),
                    new CommitLog(storage, Quotes.LOG))));
  }
}
