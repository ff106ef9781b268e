package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.RepeatingThread;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class EventThreadTest {
  private final MemoryStorage storage = new MemoryStorage(Clock.systemUTC());
  private final EventOutbox outbox =
      new EventOutbox(storage, new LedgerDirectories(new StoragePath("/ledger"), "sales"));
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean away;

  /** Counts the events. */
  private final class CountingTopic implements EventTopic {
    @Override
    public void send(List<Event> events) throws IOException {
      if (away) {
        throw new IOException("Kafka is away");
      }
      sent.addAndGet(events.size());
    }

    @Override
    public void close() {}
  }

  private RepeatingThread start() {
    return start(() -> sender(new CountingTopic()));
  }

  private static RepeatingThread start(Callable<EventSender> opening) {
    return RepeatingThread.start(
        "tidemark-events-sales", "events wait", opening, EventSender::step);
  }

  private EventSender sender(EventTopic topic) {
    return new EventSender(outbox, topic, Duration.ofDays(90));
  }

  private void put(long number) throws IOException {
    outbox.put(
        Ledgers.STATE,
        Ledgers.reckoning(number, Ledgers.ASKED, List.of(), List.of()),
        List.of(Ledgers.batch(number, 0)));
  }

  private static void await(BooleanSupplier condition) throws Exception {
    while (!condition.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  @Test
  void sendsWhatItFindsAndWhatItIsWokenFor() throws Exception {
    put(1);
    RepeatingThread thread = start();
    await(() -> sent.get() == 1);

    put(2);
    thread.wake();
    await(() -> sent.get() == 2);
    thread.stop(Duration.ofSeconds(5));
  }

  @Test
  void outageIsShownAndTriedAgain() throws Exception {
    away = true;
    put(1);
    RepeatingThread thread = start();
    await(() -> thread.problem().isPresent());
    assertThat(thread.problem()).contains("Kafka is away");

    away = false;
    await(() -> sent.get() == 1 && thread.problem().isEmpty());
    thread.stop(Duration.ofSeconds(5));
  }

  @Test
  void senderThatCannotBeMadeIsTriedAgain() throws Exception {
    AtomicInteger opened = new AtomicInteger();
    put(1);
    RepeatingThread thread =
        start(
            () -> {
              if (opened.incrementAndGet() == 1) {
                throw new IOException("the store is away");
              }
              return sender(new CountingTopic());
            });

    await(() -> sent.get() == 1);
    assertThat(opened).hasValue(2);
    thread.stop(Duration.ofSeconds(5));
  }

  @Test
  void stopDoesNotWaitForACallThatHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    EventTopic hanging =
        new EventTopic() {
          @Override
          public void send(List<Event> events) throws IOException {
            hangs.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              interrupted.countDown();
              throw new IOException("interrupted", e);
            }
          }

          @Override
          public void close() {}
        };
    put(1);
    RepeatingThread thread = start(() -> sender(hanging));
    hangs.await();
    long begun = System.nanoTime();

    thread.stop(Duration.ofMillis(50));

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    interrupted.await();
  }
}
