package io.tidemark.completeness.reckon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A topic of announcements in memory, with one topic-partition. */
final class FakeAnnouncements implements AnnouncementsTopic {
  private final InstantSource time;
  private final List<Sent> records = new ArrayList<>();
  private String topicId = "batches-1";
  private boolean away;
  private int most = 1_000;

  FakeAnnouncements(InstantSource time) {
    this.time = time;
  }

  /** A producer announces a batch. Example: {@code "orders":100,"payments":20} */
  void announce(String batch, String records) {
    send(batch, "{\"version\":1,\"batch\":\"%s\",\"records\":{%s}}".formatted(batch, records));
  }

  void send(String key, String value) {
    records.add(
        new Sent(
            "batches-0@" + records.size(),
            time.instant(),
            Optional.of(key.getBytes(StandardCharsets.UTF_8)),
            Optional.of(value.getBytes(StandardCharsets.UTF_8))));
  }

  void madeAgain() {
    topicId = "batches-2";
    records.clear();
  }

  void away(boolean now) {
    away = now;
  }

  /** Sets the number of records that one read returns. */
  void most(int records) {
    most = records;
  }

  @Override
  public Optional<Read> read(String knownId, List<Long> position) throws IOException {
    if (away) {
      throw new IOException("Kafka does not answer.");
    }
    long next = knownId.equals(topicId) && !position.isEmpty() ? position.get(0) : 0;
    int to = (int) Math.min(records.size(), next + most);
    return next == to && knownId.equals(topicId)
        ? Optional.empty()
        : Optional.of(
            new Read(topicId, List.of((long) to), records.subList((int) next, to), List.of()));
  }

  @Override
  public void close() {}
}
