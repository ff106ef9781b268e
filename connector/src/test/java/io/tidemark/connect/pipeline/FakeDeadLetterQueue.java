package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * A dead letter queue in memory that can delay its answers or refuse records. Used by one thread.
 */
public final class FakeDeadLetterQueue implements DeadLetterQueue {

  /** The part of a record that a test's task keeps. */
  public record Delivered(String place) implements DeliveredRecord {
    @Override
    public int keptBytes() {
      return 100;
    }
  }

  public final List<RejectedRecord> taken = new ArrayList<>();
  public final List<CompletableFuture<Void>> unanswered = new ArrayList<>();
  public boolean answering = true;
  public boolean refusing;
  public boolean unauthorized;
  public Optional<RuntimeException> refusal = Optional.empty();

  @Override
  public Future<?> send(RejectedRecord rejected) {
    if (refusing) {
      throw new IllegalStateException("the topic has no room");
    }
    if (unauthorized) {
      return CompletableFuture.failedFuture(new TopicAuthorizationException("letters"));
    }
    if (refusal.isPresent()) {
      return CompletableFuture.failedFuture(refusal.get());
    }
    taken.add(rejected);
    CompletableFuture<Void> answer = new CompletableFuture<>();
    if (answering) {
      answer.complete(null);
    } else {
      unanswered.add(answer);
    }
    return answer;
  }

  public List<Long> offsets() {
    return taken.stream().map(rejected -> rejected.place().offset()).toList();
  }
}
