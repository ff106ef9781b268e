package io.tidemark.connect.intake;

import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.store.AttendedTime;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.RejectedRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * The dead letters of a task that Kafka has not acknowledged. At most {@code
 * dead.letters.in.flight} are in flight. The task pauses while that many or more are not
 * acknowledged. Any thread may call {@link #add}. Only the task's thread may call the other
 * methods, because Connect's reporter requires it.
 */
public final class DeadLetters {

  /**
   * The longest time between two checks that counts towards the timeout. Acknowledgements are
   * checked every 20 ms. During a longer gap, acknowledgements may arrive that are not read yet.
   */
  private static final long LONGEST_GAP_MS = 1_000;

  /** The silence after which the wait is reported. Most acknowledgements take milliseconds. */
  private static final long SILENT_MS = 10_000;

  private static final String NO_RIGHT =
      "Allow the principal of the producer.override.* settings, or the worker's if they name none, to WRITE to the dead letter topic, then restart the task.";

  private static final String OTHER_REFUSAL =
      "Check that topic's max.message.bytes (with the reason in its headers the record is larger than before), message.timestamp.* and cleanup.policy, then restart the task.";

  /** A rejected record, and the batch that must not be committed before the record is sent. */
  private record Letter(RejectedRecord rejected, BatchDeadLetters batch) {}

  private record Sent(Letter letter, Future<?> acknowledgement, long sentAtMs) {}

  private final DeadLetterQueue queue;
  private final MemoryBudget memory;
  private final int mostInFlight;
  private final long timeoutMs;
  private final AttendedTime time;
  private final Waits waits;
  private final Queue<Letter> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();
  private final Map<RejectedRecord.Kind, Long> taken = new ConcurrentHashMap<>();
  private final Deque<Sent> inFlight = new ArrayDeque<>();

  public DeadLetters(
      DeadLetterQueue queue,
      MemoryBudget memory,
      PipelineSettings settings,
      MonotonicClock clock,
      Waits waits) {
    this.queue = queue;
    this.memory = memory;
    this.mostInFlight = settings.deadLettersInFlight();
    this.timeoutMs = settings.deadLetterTimeoutMs();
    this.waits = waits;
    this.time = new AttendedTime(clock, Math.min(LONGEST_GAP_MS, timeoutMs / 10));
  }

  /** Adds a record. One of the next calls of {@link #advance} sends it. */
  void add(RejectedRecord rejected, BatchDeadLetters batch) {
    pending.incrementAndGet();
    taken.merge(rejected.kind(), 1L, Long::sum);
    memory.waiting(rejected.bufferedBytes());
    waiting.add(new Letter(rejected, batch));
  }

  /** Returns the dead letters of a kind so far. A record that is read again counts again. */
  public long taken(RejectedRecord.Kind kind) {
    return taken.getOrDefault(kind, 0L);
  }

  /** Returns the dead letters that wait or are in flight. */
  public int pending() {
    return pending.get();
  }

  public boolean full() {
    return pending.get() >= mostInFlight;
  }

  public boolean relieved() {
    return pending.get() <= mostInFlight / 2;
  }

  /** Checks the dead letters in flight, and sends a waiting one for each acknowledged one. */
  public void advance() {
    long nowMs = time.millis();
    while (!inFlight.isEmpty() && done(inFlight.getFirst(), nowMs)) {
      inFlight.removeFirst();
    }
    report(nowMs);
    while (inFlight.size() < mostInFlight) {
      Letter letter = waiting.poll();
      if (letter == null || !sent(letter, nowMs)) {
        return;
      }
    }
  }

  private void report(long nowMs) {
    long oldestMs = inFlight.isEmpty() ? 0 : nowMs - inFlight.getFirst().sentAtMs();
    if (oldestMs >= SILENT_MS) {
      waits.silent(
          this,
          "",
          Service.KAFKA,
          "the dead letter topic has not acknowledged a record for %d s; after dead.letter.timeout.ms=%d the task fails"
              .formatted(oldestMs / 1_000, timeoutMs),
          waits.now().minusMillis(oldestMs));
    } else {
      waits.over(this);
    }
  }

  /** Returns false if Connect's reporter fails, because it would also fail for the others. */
  private boolean sent(Letter letter, long nowMs) {
    if (letter.batch().abandoned()) {
      // The record will be read again, by this task or the next owner.
      release(letter);
      return true;
    }
    try {
      inFlight.addLast(new Sent(letter, queue.send(letter.rejected()), nowMs));
      return true;
    } catch (RuntimeException e) {
      release(letter);
      letter.batch().fail(notTaken(letter, e));
      return false;
    }
  }

  private boolean done(Sent sent, long nowMs) {
    Letter letter = sent.letter();
    if (!sent.acknowledgement().isDone()) {
      if (nowMs - sent.sentAtMs() <= timeoutMs) {
        return false;
      }
      if (letter.batch().abandoned()) {
        // Its batch was discarded. The dead letter must not keep others from being sent.
        release(letter);
        return true;
      }
      letter.batch().fail(unanswered(letter));
      return false;
    }
    release(letter);
    try {
      sent.acknowledgement().get();
      letter.batch().acknowledged();
    } catch (ExecutionException e) {
      letter.batch().fail(notTaken(letter, e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      letter.batch().fail(notTaken(letter, e));
    }
    return true;
  }

  private void release(Letter letter) {
    pending.decrementAndGet();
    memory.waiting(-letter.rejected().bufferedBytes());
  }

  private static Exception notTaken(Letter letter, Throwable cause) {
    String problem =
        "%s The dead letter topic refuses the record as well: %s. Its batch is not committed. %s"
            .formatted(
                letter.rejected().reason(),
                PrintableText.of(cause),
                cause instanceof AuthorizationException ? NO_RIGHT : OTHER_REFUSAL);
    // Kafka may accept the dead letters of other records.
    return cause instanceof RecordTooLargeException
            || cause instanceof InvalidTimestampException
            || cause instanceof InvalidRecordException
        ? new RejectedRecordException(letter.rejected().place(), problem)
        : new LandingException(letter.rejected().place() + ": " + problem, cause);
  }

  private LandingException unanswered(Letter letter) {
    return new LandingException(
        "%s It was sent to the dead letter topic, and Kafka has not answered for %d ms. Its batch is not committed. Check that the partitions of that topic have leaders and enough replicas in sync (min.insync.replicas), then restart the task."
            .formatted(letter.rejected(), timeoutMs));
  }
}
