package io.tidemark.connect.intake;

import io.tidemark.connect.staging.Bindings;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.table.Table;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * One topic within a task: its bindings, refusals and hold. Called by the task's thread. An unknown
 * schema id is resolved asynchronously, once for all topic-partitions that wait for it.
 */
public final class TaskTopic {
  // The time for which a refusal is valid, long enough for the record to be delivered again. Then
  // the id is requested again from the registry's client, which caches ids that were not found.
  private static final long REFUSED_MS = 30_000;
  private static final int KEPT_REFUSALS = 1_000;

  private final String topic;
  private final SchemaBinder binder;
  private final Retries retries;
  private final Map<SchemaId, CompletableFuture<Void>> resolving = new HashMap<>();
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private final Bound bound;
  private volatile Bindings bindings = Bindings.NONE;
  private boolean recentlyUsed;
  private final Map<SchemaId, Refusal> refusals = new HashMap<>();
  private final AtomicBoolean hasBatch = new AtomicBoolean();

  // The topic-partitions whose records the topic's tables refuse.
  private final Set<TopicPartition> held = new HashSet<>();

  /** The reason why records of a schema id cannot land, valid until {@code untilMs}. */
  record Refusal(RejectedRecord.Kind kind, String reason, long untilMs) {}

  /** Bounds the heap of the bindings of all topics of a task. Thread-safe. */
  public static final class Bound {
    private final long mostBytes;

    /** The topics with bindings, the next to lose them first. */
    private final Map<String, TaskTopic> topics = new LinkedHashMap<>();

    public Bound(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    /** Evicts the bindings of other topics, not of those in use if possible: they come back. */
    private synchronized void extended(TaskTopic extended) {
      topics.remove(extended.topic);
      Deque<TaskTopic> others = new ArrayDeque<>(topics.values());
      topics.put(extended.topic, extended);
      long bytes = topics.values().stream().mapToLong(each -> each.bindings.weight()).sum();
      for (int turns = others.size(); bytes > mostBytes && !others.isEmpty(); turns--) {
        TaskTopic next = others.remove();
        if (turns > 0 && next.recentlyUsed) {
          next.recentlyUsed = false;
          others.add(next);
        } else {
          bytes -= next.bindings.weight();
          next.bindings = Bindings.NONE;
          topics.remove(next.topic);
        }
      }
    }
  }

  public TaskTopic(
      String topic, SchemaBinder binder, Retries retries, BooleanSupplier wanted, Bound bound) {
    this.topic = topic;
    this.binder = binder;
    this.retries = retries.of(topic, wanted);
    this.bound = bound;
  }

  /** Returns whether a batch with files is the first of the topic in this task. Thread-safe. */
  public boolean isFirstBatch() {
    return hasBatch.compareAndSet(false, true);
  }

  /** Pauses the topic's other topic-partitions: its tables refuse the records of this one. */
  public void hold(TopicPartition topicPartition) {
    held.add(topicPartition);
  }

  /** Ends a hold: the topic-partition's records can land now, or it was revoked. */
  public void release(TopicPartition topicPartition) {
    held.remove(topicPartition);
  }

  /** Returns whether a topic-partition must be paused because another one is refused. */
  public boolean pauses(TopicPartition topicPartition) {
    return !held.isEmpty() && !held.contains(topicPartition);
  }

  public String topic() {
    return topic;
  }

  public List<Table> tables() {
    return binder.tables();
  }

  SchemaBinder binder() {
    return binder;
  }

  Bindings bindings() {
    recentlyUsed = true; // Without a barrier: only the choice of an eviction depends on it.
    return bindings;
  }

  /** Returns the conflict after which no more records may land. Thread-safe. */
  public Optional<SchemaChangedException> contradiction() {
    return binder.contradiction(bindings);
  }

  /** Notes why records of a schema id cannot land: they are then dead letters. */
  public void refuse(SchemaId schemaId, RejectedRecord.Kind kind, String reason, long nowMs) {
    if (refusals.size() >= KEPT_REFUSALS) {
      refusals.clear();
    }
    refusals.put(schemaId, new Refusal(kind, reason, nowMs + REFUSED_MS));
  }

  Optional<Refusal> refusal(SchemaId schemaId, long nowMs) {
    return Optional.ofNullable(refusals.get(schemaId))
        .filter(refusal -> refusal.untilMs() >= nowMs);
  }

  /** Returns a future that completes when {@link #bindings} has the id, or fails permanently. */
  public CompletableFuture<Void> resolve(SchemaId schemaId) {
    CompletableFuture<Void> known = resolving.get(schemaId);
    if (known != null && !known.isDone()) {
      return known;
    }
    CompletableFuture<Void> resolved =
        last.handle((done, failure) -> null)
            .thenCompose(ready -> retries.untilDone("resolve " + schemaId, () -> extend(schemaId)));
    // Keep only running resolutions: completed ones are in the bindings, or are started again.
    resolving.values().removeIf(CompletableFuture::isDone);
    resolving.put(schemaId, resolved);
    last = resolved;
    return resolved;
  }

  private void extend(SchemaId schemaId) throws Exception {
    bindings = binder.extend(bindings, schemaId);
    bound.extended(this);
  }
}
