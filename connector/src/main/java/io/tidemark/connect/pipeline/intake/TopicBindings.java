package io.tidemark.connect.pipeline.intake;

import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.pipeline.retry.Retries;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.routing.RowReader;
import io.tidemark.connect.routing.TableBinder;
import io.tidemark.connect.table.Table;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.SchemaIdReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The bindings of one topic within a task. Asked by the task's thread; a schema id that is not
 * known yet is resolved behind it, once, however many topic-partitions wait.
 */
public final class TopicBindings {
  // Long enough for the record that was asked for to be delivered again; then the registry's client
  // is asked anew, which has a time of its own for what it did not find.
  private static final long REFUSED_MS = 30_000;
  private static final int KEPT_REFUSALS = 1_000;

  private final String topic;
  private final TableBinder binder;
  private final Retries retries;
  private final BooleanSupplier wanted;
  private final Map<SchemaId, CompletableFuture<Void>> resolving = new HashMap<>();
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private volatile BindingSnapshot bindings = BindingSnapshot.NONE;
  private final Map<SchemaId, Refusal> refusals = new HashMap<>();
  private final TopicHold hold = new TopicHold();

  /** Why records of a schema id cannot land, for some time. */
  record Refusal(RejectedRecord.Kind kind, String reason, long untilMs) {}

  public TopicBindings(String topic, TableBinder binder, Retries retries, BooleanSupplier wanted) {
    this.topic = topic;
    this.binder = binder;
    this.retries = retries;
    this.wanted = wanted;
  }

  /** Whether the topic is held, because its tables refuse what is read of it. */
  public TopicHold hold() {
    return hold;
  }

  /** The topic's name. */
  public String topic() {
    return topic;
  }

  /** The tables that the topic's records may land in. */
  public List<Table> tables() {
    return binder.tables();
  }

  /** A reader of the topic's schema ids, for one topic-partition. */
  SchemaIdReader idReader() {
    return binder.idReader();
  }

  /** A reader of rows of keys and values, for one topic-partition; empty where there are none. */
  Optional<RowReader> rowReader() {
    return binder.rowReader();
  }

  BindingSnapshot bindings() {
    return bindings;
  }

  /**
   * Why no more records of the topic may land: the registry contradicts a schema in use. Can be
   * asked by any thread.
   */
  public Optional<SchemaChangedException> contradiction() {
    return binder.contradiction(bindings);
  }

  /**
   * Notes that the registry does not know a schema id, or that no table is named for it: its
   * records are dead letters.
   */
  public void refuse(SchemaId schemaId, RejectedRecord.Kind kind, String reason, long nowMs) {
    if (refusals.size() >= KEPT_REFUSALS) {
      refusals.clear();
    }
    refusals.put(schemaId, new Refusal(kind, reason, nowMs + REFUSED_MS));
  }

  /** Why records of a schema id cannot land, where that is known. */
  Optional<Refusal> refusal(SchemaId schemaId, long nowMs) {
    return Optional.ofNullable(refusals.get(schemaId))
        .filter(refusal -> refusal.untilMs() >= nowMs);
  }

  /** Completes when {@link #bindings} has the schema id; fails when it never will. */
  public CompletableFuture<Void> resolve(SchemaId schemaId) {
    CompletableFuture<Void> known = resolving.get(schemaId);
    if (known != null && !known.isDone()) {
      return known;
    }
    CompletableFuture<Void> resolved =
        last.handle((done, failure) -> null)
            .thenCompose(
                ready ->
                    retries.untilDone(
                        topic, "resolve " + schemaId, wanted, () -> extend(schemaId)));
    // What is done is in the bindings, or is asked for anew: only what is under way need be known.
    resolving.values().removeIf(CompletableFuture::isDone);
    resolving.put(schemaId, resolved);
    last = resolved;
    return resolved;
  }

  private void extend(SchemaId schemaId) throws Exception {
    bindings = binder.extend(bindings, schemaId);
  }
}
