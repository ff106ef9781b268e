package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckDecimal;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Field;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.StepTree;
import java.util.List;

/**
 * A hash of a plan's steps. Another release of the planner, or of Avro's library, may create other
 * steps from the same schemas. Used by one thread, for one plan.
 *
 * <p>It is FNV-1a (Fowler, Noll, Vo; 64 bits), over ints in place of bytes. Printing the steps as
 * text would take a JVM that has just started longer than loading the class.
 */
final class StepDigest {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private long hash = BASIS;

  private StepDigest() {}

  static long of(StepTree steps) {
    var digest = new StepDigest();
    digest.add(steps.root());
    return digest.hash;
  }

  private void add(int number) {
    hash = (hash ^ number) * PRIME;
  }

  private void add(String text) {
    add(text.hashCode());
  }

  private void add(List<PlanStep> steps) {
    add(steps.size());
    steps.forEach(this::add);
  }

  private void add(PlanStep step) {
    add(step.getClass().getName());
    if (step instanceof Skip skip) {
      add(skip.bytes());
    } else if (step instanceof CheckEnum choice) {
      add(choice.symbols());
    } else if (step instanceof CheckDecimal decimal) {
      add(decimal.digits());
    } else if (step instanceof CheckUnion union) {
      add(union.branches());
    } else if (step instanceof CheckArray array) {
      add(array.items());
    } else if (step instanceof CheckMap map) {
      add(map.values());
    } else if (step instanceof CheckRecord record) {
      addFields(record.fields());
    } else if (step instanceof Capture capture) {
      add(capture.field());
      add(capture.step());
    } else if (step instanceof Define define) {
      add(define.records().size());
      define.records().forEach(this::addNamed);
      add(define.step());
    } else if (step instanceof Call call) {
      add(call.record());
    } else {
      addRewriting(step);
    }
  }

  private void addRewriting(PlanStep step) {
    if (step instanceof Drop drop) {
      add(drop.step());
    } else if (step instanceof Write write) {
      add(write.bytes().size());
      write.bytes().forEach(b -> add(b.intValue()));
    } else if (step instanceof PlanStep.Convert convert) {
      add(convert.conversion().id());
      add(convert.source());
    } else if (step instanceof RewriteUnion union) {
      add(union.branches());
    } else if (step instanceof PlanStep.Ahead ahead) {
      addFields(ahead.skipped());
      add(ahead.branches());
    } else if (step instanceof WriteIndex index) {
      add(index.branch());
      add(index.step());
    } else if (step instanceof Unresolvable unresolvable) {
      add(unresolvable.problem());
    } else if (step instanceof RewriteArray array) {
      add(array.items());
    } else if (step instanceof RewriteMap map) {
      add(map.values());
    } else if (step instanceof RewriteRecord record) {
      addFields(record.source());
      add(record.table().size());
      record.table().forEach(this::addPart);
    }
  }

  private void addFields(List<Field> fields) {
    add(fields.size());
    fields.forEach(field -> addNamed(field.name(), field.step()));
  }

  private void addPart(PlanStep.Part part) {
    if (part instanceof Moved moved) {
      add(moved.source());
    } else if (part instanceof Added added) {
      addNamed(added.name(), added.step());
    }
  }

  private void addNamed(String name, PlanStep step) {
    add(name);
    add(step);
  }
}
