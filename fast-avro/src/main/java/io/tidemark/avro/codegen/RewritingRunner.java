package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.avro.plan.step.Conversion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan that converts: some datums are walked through in the runner's own array, then each is
 * emitted from there. Not thread-safe.
 */
final class RewritingRunner extends LaneRunner {
  private static final int KEPT_BYTES = 1 << 20;

  private final Lanes lanes = new Lanes();
  private final int fields;
  private final List<Conversion> conversions;
  private byte[] bytes = new byte[0];
  private @Nullable RewrittenDatum out;

  RewritingRunner(Plan plan, ClassCache.Entry<Kernel> compiled) {
    super(plan, compiled);
    fields = plan.fieldPaths().size();
    conversions = plan.steps().conversions();
  }

  @Override
  int runSome(Kernel kernel, SourceDatums source, int from, int count, TableDatums target) {
    if (out == null) {
      out = new RewrittenDatum(kernel.constants(), conversions, fields);
    }
    RewrittenDatum datum = out;
    reserve(Lanes.bytes(source, from, count));
    lanes.copy(source, from, count, bytes, 0);
    datum.leave(0);
    int at = datum.enter(Lanes.lanes(count), kernel.places());
    if (!lanes.walk(kernel, count, bytes, datum.notes(), at)) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      datum.begin(target, source.length(from + i));
      try {
        kernel.emit(bytes, at + i * kernel.places(), datum);
      } catch (IndexOutOfBoundsException | FallBackException e) {
        // The datum grows too much, or has a number that would be rounded: the interpreter reports
        // it.
        return i;
      }
      datum.end();
    }
    return count;
  }

  private void reserve(int count) {
    int needed = Math.addExact(count, TableDatums.SLACK_BYTES);
    boolean tooLarge = bytes.length > KEPT_BYTES && needed <= KEPT_BYTES;
    if (needed > bytes.length || tooLarge) {
      bytes = new byte[(int) Math.max(needed, Math.min(KEPT_BYTES, 2L * needed))];
    }
  }
}
