package io.tidemark.avro.plan.step;

import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.CheckDecimal;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckInt;
import io.tidemark.avro.plan.step.PlanStep.CheckLong;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All steps of a plan. Immutable.
 *
 * @param root the step that takes the whole datum
 */
public record StepTree(PlanStep root) {
  private static final int STEP_BYTES = 80;

  /** The bytes of a constant are in a list of references. */
  private static final int REFERENCE_BYTES = 8;

  /** Returns whether datums keep their bytes: they are only checked and copied. */
  public boolean copies() {
    return copies(start());
  }

  /** Returns the step that takes the whole datum, without the records that it defines. */
  public PlanStep start() {
    return root instanceof Define define ? define.step() : root;
  }

  /** Returns whether a step of this plan, with all steps in it, emits the bytes that it takes. */
  public boolean copies(PlanStep step) {
    if (step instanceof Capture capture) {
      return copies(capture.step());
    }
    if (step instanceof Call call) {
      return definitions().get(call.record()) instanceof CheckRecord;
    }
    return step instanceof Skip
        || step instanceof CheckBoolean
        || step instanceof CheckInt
        || step instanceof CheckLong
        || step instanceof CheckBytes
        || step instanceof CheckDecimal
        || step instanceof CheckEnum
        || step instanceof CheckUnion
        || step instanceof CheckArray
        || step instanceof CheckMap
        || step instanceof CheckRecord;
  }

  /** Returns the estimated heap of the steps, in bytes. */
  public long weight() {
    return weight(root);
  }

  private static long weight(PlanStep step) {
    long own = STEP_BYTES;
    if (step instanceof PlanStep.Write write) {
      own += (long) REFERENCE_BYTES * write.bytes().size();
    } else if (step instanceof PlanStep.RewriteRecord record) {
      own += (long) STEP_BYTES * record.table().size();
    }
    return own + inner(step).stream().mapToLong(StepTree::weight).sum();
  }

  /** Returns the first reason why some datums are rejected: a missing branch or symbol. */
  public Optional<String> unresolvable() {
    return unresolvable(root);
  }

  private static Optional<String> unresolvable(PlanStep step) {
    if (step instanceof PlanStep.Unresolvable missing) {
      return Optional.of(missing.problem());
    }
    if (step instanceof PlanStep.Convert convert) {
      return convert.conversion().refusal();
    }
    return inner(step).stream().flatMap(each -> unresolvable(each).stream()).findFirst();
  }

  private static List<PlanStep> inner(PlanStep step) {
    if (step instanceof Define define) {
      List<PlanStep> all = new ArrayList<>(define.records().values());
      all.add(define.step());
      return all;
    }
    if (step instanceof CheckRecord record) {
      return record.fields().stream().map(PlanStep.Field::step).toList();
    }
    if (step instanceof PlanStep.RewriteRecord record) {
      List<PlanStep> all = new ArrayList<>();
      record.source().forEach(field -> all.add(field.step()));
      for (PlanStep.Part part : record.table()) {
        if (part instanceof PlanStep.Added added) {
          all.add(added.step());
        }
      }
      return all;
    }
    if (step instanceof CheckUnion union) {
      return union.branches();
    }
    if (step instanceof PlanStep.RewriteUnion union) {
      return union.branches();
    }
    if (step instanceof PlanStep.Ahead ahead) {
      List<PlanStep> all = new ArrayList<>(ahead.branches());
      ahead.skipped().forEach(field -> all.add(field.step()));
      return all;
    }
    return only(step).map(List::of).orElse(List.of());
  }

  private static Optional<PlanStep> only(PlanStep step) {
    return Optional.ofNullable(
        step instanceof CheckArray array
            ? array.items()
            : step instanceof CheckMap map
                ? map.values()
                : step instanceof PlanStep.RewriteArray array
                    ? array.items()
                    : step instanceof PlanStep.RewriteMap map
                        ? map.values()
                        : step instanceof Capture capture
                            ? capture.step()
                            : step instanceof PlanStep.Drop drop
                                ? drop.step()
                                : step instanceof PlanStep.WriteIndex index
                                    ? index.step()
                                    : step instanceof PlanStep.Convert convert
                                        ? convert.source()
                                        : null);
  }

  /** Returns the names of the records that are called in a step. */
  public static List<String> calls(PlanStep step) {
    List<String> names = new ArrayList<>();
    addCalls(step, names);
    return names;
  }

  private static void addCalls(PlanStep step, List<String> names) {
    if (step instanceof Call call) {
      names.add(call.record());
    }
    inner(step).forEach(each -> addCalls(each, names));
  }

  /** Returns the different conversions, in the order of the steps. */
  public List<Conversion> conversions() {
    Set<Conversion> found = new LinkedHashSet<>();
    addConversions(root, found);
    return List.copyOf(found);
  }

  private static void addConversions(PlanStep step, Set<Conversion> found) {
    if (step instanceof PlanStep.Convert convert) {
      found.add(convert.conversion());
    }
    inner(step).forEach(each -> addConversions(each, found));
  }

  /** Returns the records that steps may call, by name. */
  public Map<String, PlanStep> definitions() {
    return root instanceof Define define ? define.records() : Map.of();
  }
}
