package io.tidemark.connect.intake;

import io.tidemark.connect.staging.BindingSnapshot;
import io.tidemark.connect.staging.RowReader;
import io.tidemark.connect.staging.TableBinder;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The bindings of one topic within a task. Called by the task's thread. An unknown schema id is
 * resolved asynchronously, once for all topic-partitions that wait for it.
 */
public final class TopicBindings {
  // The time for which a refusal is valid, long enough for the record to be delivered again. After
  // that, the id is requested again from the registry's client, which has its own cache of ids that
  // were not found.
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

  /** The reason why records of a schema id cannot land, valid until {@code untilMs}. */
  record Refusal(RejectedRecord.Kind kind, String reason, long untilMs) {}

  public TopicBindings(String topic, TableBinder binder, Retries retries, BooleanSupplier wanted) {
    this.topic = topic;
    this.binder = binder;
    this.retries = retries;
    this.wanted = wanted;
  }

  /** Returns the topic-partitions that are paused because a table rejects a schema. */
  public TopicHold hold() {
    return hold;
  }

  /** Returns the topic's name. */
  public String topic() {
    return topic;
  }

  /** Returns the tables in which the topic's records may land. */
  public List<Table> tables() {
    return binder.tables();
  }

  /** Returns a reader of the topic's schema ids, for one topic-partition. */
  SchemaIdReader idReader() {
    return binder.idReader();
  }

  /**
   * Returns a reader of rows of keys and values, for one topic-partition; empty if rows have no
   * keys.
   */
  Optional<RowReader> rowReader() {
    return binder.rowReader();
  }

  BindingSnapshot bindings() {
    return bindings;
  }

  /**
   * Returns the contradiction if the registry has returned another schema for an id in use. No more
   * records of the topic may then land. Thread-safe.
   */
  public Optional<SchemaChangedException> contradiction() {
    return binder.contradiction(bindings);
  }

  /**
   * Notes that the registry does not know a schema id, or that its schema has no table. Records of
   * the id are then dead letters.
   */
  public void refuse(SchemaId schemaId, RejectedRecord.Kind kind, String reason, long nowMs) {
    if (refusals.size() >= KEPT_REFUSALS) {
      refusals.clear();
    }
    refusals.put(schemaId, new Refusal(kind, reason, nowMs + REFUSED_MS));
  }

  /** Returns why records of a schema id cannot land; empty if no reason is known. */
  Optional<Refusal> refusal(SchemaId schemaId, long nowMs) {
    return Optional.ofNullable(refusals.get(schemaId))
        .filter(refusal -> refusal.untilMs() >= nowMs);
  }

  /**
   * Resolves a schema id. The returned future completes when {@link #bindings} has the id, or fails
   * permanently.
   */
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
    // Keep only running resolutions: completed ones are in the bindings, or are started again.
    resolving.values().removeIf(CompletableFuture::isDone);
    resolving.put(schemaId, resolved);
    last = resolved;
    return resolved;
  }

  private void extend(SchemaId schemaId) throws Exception {
    bindings = binder.extend(bindings, schemaId);
  }
}
