package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plans of a topic's known schema ids: an immutable snapshot, taken along with each chunk. */
public final class LandingPlans {

  /** No schema id is known. */
  public static final LandingPlans NONE = new LandingPlans(Map.of());

  private final Map<SchemaId, LandingPlan> byId;

  LandingPlans(Map<SchemaId, LandingPlan> byId) {
    this.byId = Map.copyOf(byId);
  }

  /** The plan of a schema id; null when the id is not known. */
  public @Nullable LandingPlan find(SchemaId schemaId) {
    return byId.get(schemaId);
  }

  /** Every schema id that the others have a plan for has one here. */
  public boolean includes(LandingPlans others) {
    return byId.keySet().containsAll(others.byId.keySet());
  }

  Map<SchemaId, LandingPlan> byId() {
    return byId;
  }
}
