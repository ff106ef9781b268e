package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Ahead;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Field;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.Promotion;
import io.tidemark.avro.plan.step.StepTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whole numbers that become the nearest float or double, as Avro's library converts them. */
final class Rounding {
  private Rounding() {}

  /** Returns steps that reject no whole number. */
  static StepTree of(StepTree steps) {
    return new StepTree(of(steps.root()));
  }

  private static PlanStep of(PlanStep step) {
    if (step instanceof Convert convert && convert.conversion() instanceof Promotion promotion) {
      return new Convert(convert.source(), promotion.rounded());
    }
    if (step instanceof Define define) {
      Map<String, PlanStep> records = new LinkedHashMap<>();
      define.records().forEach((name, record) -> records.put(name, of(record)));
      return new Define(records, of(define.step()));
    }
    if (step instanceof Capture capture) {
      return new Capture(capture.field(), of(capture.step()));
    }
    if (step instanceof WriteIndex index) {
      return new WriteIndex(index.branch(), of(index.step()));
    }
    if (step instanceof RewriteUnion union) {
      return new RewriteUnion(all(union.branches()));
    }
    if (step instanceof Ahead ahead) {
      return new Ahead(ahead.skipped(), all(ahead.branches()));
    }
    if (step instanceof RewriteArray array) {
      return new RewriteArray(of(array.items()));
    }
    if (step instanceof RewriteMap map) {
      return new RewriteMap(of(map.values()));
    }
    return step instanceof RewriteRecord record
        ? new RewriteRecord(
            record.source().stream()
                .map(field -> new Field(field.name(), of(field.step())))
                .toList(),
            record.table())
        : step;
  }

  private static List<PlanStep> all(List<PlanStep> steps) {
    return steps.stream().map(Rounding::of).toList();
  }
}
