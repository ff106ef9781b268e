package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/**
 * Runs a plan that copies: datums are checked in the array in which they remain. Not thread-safe.
 */
final class CopyingRunner extends LaneRunner {
  private final Lanes lanes = new Lanes();

  CopyingRunner(Plan plan, ClassCache.Entry<Kernel> compiled) {
    super(plan, compiled);
  }

  @Override
  int runSome(Kernel kernel, SourceDatums source, int from, int count, TableDatums target) {
    byte[] bytes = target.reserve(Lanes.bytes(source, from, count));
    lanes.copy(source, from, count, bytes, target.size());
    int[] fields = target.reserveFields(Lanes.lanes(count));
    if (!lanes.walk(kernel, count, bytes, fields, target.nextFields())) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      target.add(lanes.end(i));
    }
    return count;
  }
}
