package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Ahead;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckDecimal;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Prints a plan for people, with one line for each step.
 *
 * <pre>
 * rewrite io.tidemark.Quote as io.tidemark.Quote
 *   record
 *     take symbol: bytes
 *     take size: as field 0 (size) int to double
 *     take note: drop bytes
 *     emit symbol
 *     emit venue: write 08 58 45 54 52
 *     emit size
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
    printer.line(
        0,
        plan.copies()
            ? "copy " + writer
            : "rewrite " + writer + " as " + plan.tableSchema().getFullName());
    printer.step(1, "", plan.steps().root());
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
    } else if (step instanceof Drop drop) {
      step(depth, label + "drop ", drop.step());
    } else if (step instanceof Convert convert) {
      step(depth, label + convert.conversion() + " of ", convert.source());
    } else if (step instanceof WriteIndex index) {
      step(depth, label + "branch " + index.branch() + ", ", index.step());
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
    } else if (step instanceof RewriteUnion union) {
      union.branches().forEach(branch -> step(depth, "", branch));
    } else if (step instanceof Ahead ahead) {
      ahead.skipped().forEach(field -> step(depth, "skip " + field.name() + ": ", field.step()));
      ahead.branches().forEach(branch -> step(depth, "", branch));
    } else if (step instanceof RewriteArray array) {
      step(depth, "", array.items());
    } else if (step instanceof RewriteMap map) {
      step(depth, "", map.values());
    } else if (step instanceof RewriteRecord record) {
      record.source().forEach(field -> step(depth, "take " + field.name() + ": ", field.step()));
      record.table().forEach(part -> part(depth, record, part));
    }
  }

  private void part(int depth, RewriteRecord record, PlanStep.Part part) {
    if (part instanceof Moved moved) {
      line(depth, "emit " + record.source().get(moved.source()).name());
    } else if (part instanceof Added added) {
      step(depth, "emit " + added.name() + ": ", added.step());
    }
  }

  private static String name(PlanStep step) {
    if (step instanceof Skip skip) {
      return skip.bytes() == 0 ? "nothing" : "skip " + skip.bytes();
    }
    if (step instanceof CheckEnum choice) {
      return "enum of " + choice.symbols();
    }
    if (step instanceof CheckDecimal decimal) {
      return "decimal of " + decimal.digits() + " digits";
    }
    if (step instanceof Call call) {
      return call.record();
    }
    if (step instanceof Write write) {
      return "write" + hex(write);
    }
    if (step instanceof Unresolvable unresolvable) {
      return "refuse: " + unresolvable.problem();
    }
    return step.getClass()
        .getSimpleName()
        .replaceFirst("^(Check|Rewrite)", "")
        .toLowerCase(Locale.ROOT);
  }

  private static String hex(Write write) {
    var hex = new StringBuilder();
    write.bytes().forEach(b -> hex.append(' ').append(HexFormat.of().toHexDigits(b)));
    return hex.toString();
  }

  private void line(int depth, String line) {
    text.append("  ".repeat(depth)).append(line.stripTrailing()).append('\n');
  }
}
