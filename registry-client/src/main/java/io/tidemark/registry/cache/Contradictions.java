package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contradictions of a registry: ids whose schema in the registry has changed, each with the
 * former schema. Safe for use by many threads; nearly always empty.
 */
final class Contradictions {
  private static final Logger LOG = LoggerFactory.getLogger(Contradictions.class);

  private record Contradiction(RegisteredSchema before, SchemaChangedException exception) {}

  private final String location;
  private final String cure;

  /** Replaced under the lock, read without it. */
  private volatile Map<SchemaId, Contradiction> byId = Map.of();

  /**
   * @param location the registry, for messages
   * @param cure how an operator accepts the new schemas, as a part of a sentence
   */
  Contradictions(String location, String cure) {
    this.location = location;
    this.cure = cure;
  }

  /** Adds a contradiction. */
  SchemaChangedException add(RegisteredSchema before, String now) {
    SchemaChangedException exception =
        new SchemaChangedException(
            before.id()
                + " of "
                + location
                + " had the schema with fingerprint "
                + before.fingerprint()
                + " and now has "
                + now
                + ": the registry was wiped, restored or replaced, and assigned the id again. A"
                + " record with this id can have the old or the new schema; its bytes do not show"
                + " which. Restore the registry's former schemas under their ids. Or accept the new"
                + " schemas, although earlier records that are not yet processed will be read"
                + " wrongly: "
                + cure
                + ".",
            before.id());
    if (replace(before.id(), new Contradiction(before, exception)) == null) {
      LOG.error("{}", exception.getMessage());
    }
    return exception;
  }

  /** Removes a contradiction: the registry has the former schema again. */
  void remove(SchemaId id) {
    if (byId.containsKey(id) && replace(id, null) != null) {
      LOG.info("{} of {} has its former schema again", id, location);
    }
  }

  private synchronized @Nullable Contradiction replace(
      SchemaId id, @Nullable Contradiction contradiction) {
    Map<SchemaId, Contradiction> changed = new HashMap<>(byId);
    Contradiction before =
        contradiction == null ? changed.remove(id) : changed.put(id, contradiction);
    byId = Map.copyOf(changed);
    return before;
  }

  /** Returns the former schema of an id that has another schema now. */
  Optional<RegisteredSchema> before(SchemaId id) {
    Contradiction contradiction = byId.get(id);
    return contradiction == null ? Optional.empty() : Optional.of(contradiction.before());
  }

  /** Returns the exception of each id that has another schema now. */
  Map<SchemaId, SchemaChangedException> all() {
    Map<SchemaId, Contradiction> now = byId;
    if (now.isEmpty()) {
      return Map.of();
    }
    Map<SchemaId, SchemaChangedException> all = new HashMap<>();
    now.forEach((id, contradiction) -> all.put(id, contradiction.exception()));
    return Map.copyOf(all);
  }
}
