package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventSenderTest {
  private static final LedgerDirectories FOLDERS =
      new LedgerDirectories(new StoragePath("/ledger"), "sales");
  private static final Duration KEPT = Duration.ofDays(90);

  private Instant now = Ledgers.ASKED;
  private final InstantSource time = () -> now;
  private final MemoryStorage memory = new MemoryStorage(time.withZone(ZoneOffset.UTC));
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final FakeTopic topic = new FakeTopic();
  private final EventOutbox outbox = new EventOutbox(storage, FOLDERS);
  private final EventSender sender = sender();

  private EventSender sender() {
    return new EventSender(outbox, topic, KEPT);
  }

  /** Accepts events. While unavailable it accepts only the first event of each call. */
  private static final class FakeTopic implements EventTopic {
    private final List<String> ids = new ArrayList<>();
    private final List<Integer> together = new ArrayList<>();
    private boolean away;

    @Override
    public void send(List<Event> events) throws IOException {
      together.add(events.size());
      for (Event event : events) {
        ids.add(String.valueOf(event.value().get("id")));
        if (away) {
          throw new IOException("Kafka is away");
        }
      }
    }

    @Override
    public void close() {}
  }

  private boolean put(long number, int batches) throws IOException {
    NumberedEntry<LedgerEntry> entry = Ledgers.reckoning(number, now, List.of(), List.of());
    List<SettledEntry> taken = new ArrayList<>();
    for (int batch = 1; batch <= batches; batch++) {
      taken.add(Ledgers.batch(batch, 0));
    }
    return outbox.put(Ledgers.STATE, entry, taken);
  }

  private static String id(long number, int batch) {
    return "sales/%d/batch/batch/orders-3/%d/default.orders/0".formatted(number, batch);
  }

  private List<String> files() throws IOException {
    return memory.list(FOLDERS.events()).stream().map(file -> file.path().name()).toList();
  }

  /** The file that the first call left must not count as the file of the events. */
  @Test
  void eventsWhoseFileTheClientCreatedTwiceAreSent() throws Exception {
    storage.repeat(call -> call.startsWith("create"));
    assertThatThrownBy(() -> put(9, 1)).isInstanceOf(IOException.class);
    storage.heal();

    assertThat(put(9, 1)).isTrue();
    assertThat(sender.step()).isZero();
    assertThat(topic.ids).containsExactly(id(9, 1));
  }

  @Test
  void sendsTheOldestFirstAndRemovesWhatWasSent() throws Exception {
    assertThat(put(9, 1)).isTrue();
    assertThat(put(10, 2)).isTrue();

    assertThat(sender.step()).isZero();
    assertThat(sender.step()).isZero();
    assertThat(sender.step()).isEqualTo(EventSender.IDLE);

    assertThat(topic.ids).containsExactly(id(9, 1), id(10, 1), id(10, 2));
    assertThat(files()).isEmpty();
  }

  @Test
  void entryThatSaysNothingMakesNoFile() throws Exception {
    assertThat(put(9, 0)).isFalse();
    assertThat(files()).isEmpty();
  }

  @Test
  void sameEntryIsPutOnce() throws Exception {
    put(9, 1);
    put(9, 1);

    assertThat(files()).containsExactly("00000000000000000009.avro");
  }

  @Test
  void manyEventsAreSentInParts() throws Exception {
    put(9, EventOutbox.SENT_TOGETHER + 1);

    sender.step();

    assertThat(topic.together).containsExactly(EventOutbox.SENT_TOGETHER, 1);
  }

  @Test
  void whatFailsIsSentAgainAsAWholeAndNothingOvertakesIt() throws Exception {
    put(9, 2);
    put(10, 1);
    topic.away = true;
    for (int each = 0; each < 3; each++) {
      assertThatThrownBy(sender::step).hasMessage("Kafka is away");
    }
    topic.away = false;

    sender.step();
    sender.step();

    assertThat(topic.ids)
        .containsExactly(id(9, 1), id(9, 1), id(9, 1), id(9, 1), id(9, 2), id(10, 1));
    assertThat(files()).isEmpty();
  }

  @Test
  void nextSenderGoesOnWhereTheOneBeforeStopped() throws Exception {
    put(9, 1);
    storage.failBefore(call -> true);
    assertThatThrownBy(sender::step).isInstanceOf(IOException.class);
    storage.heal();

    sender().step();

    assertThat(topic.ids).containsExactly(id(9, 1));
  }

  @Test
  void fileThatAnotherSenderRemovedIsPassedOver() throws Exception {
    put(9, 1);
    put(10, 1);
    sender.step();
    memory.delete(FOLDERS.events().child("00000000000000000010.avro"));

    assertThat(sender.step()).isZero();
    assertThat(topic.ids).containsExactly(id(9, 1));
  }

  @Test
  void temporaryFileOfAWriterThatDiedGoesAfterADay() throws Exception {
    StoragePath left =
        FOLDERS
            .ledger()
            .child("events")
            .child(".00000000000000000009.avro.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp");
    memory.makeDirectories(left.parent());
    memory.create(left).close();
    now = now.plus(Duration.ofDays(1)).plusMillis(1);
    put(9, 1);

    sender.step();

    assertThat(files()).isEmpty();
  }

  @Test
  void damagedFileIsNamedWithItsCure() throws Exception {
    put(9, 1);
    StoragePath file = FOLDERS.events().child("00000000000000000009.avro");
    memory.delete(file);
    try (OutputStream out = memory.create(file)) {
      out.write(new byte[40]);
    }

    assertThatThrownBy(sender::step)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("00000000000000000009.avro")
        .hasMessageContaining("remove it");
  }

  @Test
  void fileWhoseBlocksAreLostIsNamedWithItsCure() throws Exception {
    put(9, 1);
    storage.lose(file -> true);

    assertThatThrownBy(sender::step)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("00000000000000000009.avro")
        .hasMessageContaining("no live data node")
        .hasMessageContaining("restore it from a copy, or remove it");
  }

  @Test
  void eventsThatWaitedForTooLongAreDroppedAndThoseAfterThemAreSent() throws Exception {
    put(9, 1);
    now = now.plus(KEPT).plusMillis(1);
    put(10, 1);
    topic.away = true;

    assertThat(sender.step()).isZero();
    assertThatThrownBy(sender::step).hasMessage("Kafka is away");

    assertThat(files()).containsExactly("00000000000000000010.avro");
  }

  /** Only a later file shows that the store's clock has passed the time, too. */
  @Test
  void eventsAreNotTooOldByTheClockOfAWorkerThatIsAhead() throws Exception {
    put(9, 1);
    topic.away = true;
    now = now.plus(KEPT).plusMillis(1);

    assertThatThrownBy(sender::step).hasMessage("Kafka is away");
    assertThat(files()).containsExactly("00000000000000000009.avro");

    put(10, 1);
    assertThat(sender.step()).isZero();
    assertThat(files()).containsExactly("00000000000000000010.avro");
  }

  @Test
  void oldEventsAreSentWhereKafkaTakesThem() throws Exception {
    put(9, 1);
    now = now.plus(KEPT).plusSeconds(1);

    sender.step();

    assertThat(topic.ids).containsExactly(id(9, 1));
  }
}
