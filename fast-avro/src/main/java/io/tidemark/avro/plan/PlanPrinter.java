package io.tidemark.avro.plan;

import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckArray;
import io.tidemark.avro.plan.PlanStep.CheckEnum;
import io.tidemark.avro.plan.PlanStep.CheckMap;
import io.tidemark.avro.plan.PlanStep.CheckRecord;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Define;
import io.tidemark.avro.plan.PlanStep.Rewrite;
import io.tidemark.avro.plan.PlanStep.Skip;
import java.util.Locale;

/**
 * Prints a plan for people, a line for each step.
 *
 * <pre>
 * copy io.tidemark.Quote
 *   record
 *     symbol: bytes as field 0 (symbol)
 *     price: union
 *       null
 *       skip 8
 * </pre>
 */
final class PlanPrinter {
  private final Plan plan;
  private final StringBuilder text = new StringBuilder();

  private PlanPrinter(Plan plan) {
    this.plan = plan;
  }

  static String print(Plan plan) {
    var printer = new PlanPrinter(plan);
    String writer = plan.writerSchema().getFullName();
    if (plan.root() instanceof Rewrite rewrite) {
      printer.line(0, "rewrite " + writer + " as " + plan.tableSchema().getFullName());
      printer.step(1, "check ", rewrite.source());
      printer.step(1, "find ", rewrite.table());
    } else {
      printer.line(0, "copy " + writer);
      printer.step(1, "", plan.root());
    }
    return printer.text.toString();
  }

  private void step(int depth, String label, PlanStep step) {
    if (step instanceof Define define) {
      step(depth, label, define.step());
      define.records().forEach((name, record) -> step(depth, "where " + name + " is ", record));
    } else if (step instanceof Capture capture) {
      int field = capture.field();
      step(
          depth,
          label + "as field " + field + " (" + plan.fieldPaths().get(field) + ") ",
          capture.step());
    } else {
      line(depth, label + name(step));
      below(depth + 1, step);
    }
  }

  private void below(int depth, PlanStep step) {
    if (step instanceof CheckRecord record) {
      record.fields().forEach(field -> step(depth, field.name() + ": ", field.step()));
    } else if (step instanceof CheckUnion union) {
      union.branches().forEach(branch -> step(depth, "", branch));
    } else if (step instanceof CheckArray array) {
      step(depth, "", array.items());
    } else if (step instanceof CheckMap map) {
      step(depth, "", map.values());
    }
  }

  private static String name(PlanStep step) {
    if (step instanceof Skip skip) {
      return skip.bytes() == 0 ? "nothing" : "skip " + skip.bytes();
    }
    if (step instanceof CheckEnum choice) {
      return "enum of " + choice.symbols();
    }
    if (step instanceof Call call) {
      return call.record();
    }
    return step.getClass().getSimpleName().replaceFirst("^Check", "").toLowerCase(Locale.ROOT);
  }

  private void line(int depth, String line) {
    text.append("  ".repeat(depth)).append(line.stripTrailing()).append('\n');
  }
}
