package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LedgerState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A topic of announcements that cannot be read. */
class AnnouncementsReaderTest {
  private long nowMs = 1_000;
  private long failsAfterMs;
  private int looks;

  private final AnnouncementsReader reader =
      new AnnouncementsReader(
          Optional.of(
              new AnnouncementsTopic() {
                @Override
                public Optional<Read> read(String topicId, List<Long> position) throws IOException {
                  looks++;
                  nowMs += failsAfterMs;
                  throw new IOException("not now");
                }

                @Override
                public void close() {}
              }),
          () -> nowMs);

  @Test
  void refusalIsLookedAtAgainSoonSoThatItsCureShows() {
    assertThat(looksWithin(60_000)).isBetween(11, 13);
    assertThat(reader.problem()).hasValueSatisfying(it -> assertThat(it).contains("not now"));
  }

  /** Each attempt to read delays the reckoner. */
  @Test
  void silenceIsLookedAtAgainAfterAMinute() {
    failsAfterMs = 5_000;
    assertThat(looksWithin(130_000)).isEqualTo(2);
  }

  private int looksWithin(long forMs) {
    long end = nowMs + forMs;
    while (nowMs < end) {
      reader.look(LedgerState.initial());
      nowMs += 1_000;
    }
    return looks;
  }
}
