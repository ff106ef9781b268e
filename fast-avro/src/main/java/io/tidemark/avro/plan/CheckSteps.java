package io.tidemark.avro.plan;

import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckArray;
import io.tidemark.avro.plan.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.CheckEnum;
import io.tidemark.avro.plan.PlanStep.CheckInt;
import io.tidemark.avro.plan.PlanStep.CheckLong;
import io.tidemark.avro.plan.PlanStep.CheckMap;
import io.tidemark.avro.plan.PlanStep.CheckRecord;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Define;
import io.tidemark.avro.plan.PlanStep.Skip;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Makes the steps that check a datum of one schema and capture fields of it.
 *
 * <p>A record that the schema names once is laid out where it stands. One that it names more often,
 * as every recursive record is, is defined once and called, so that the steps never outgrow the
 * schema. Records on the way to a captured field are laid out in any case: the field of the
 * outermost one is meant, not those of the ones within.
 */
final class CheckSteps {
  private final Map<String, Integer> mentions = new HashMap<>();
  private final Map<String, PlanStep> definitions = new LinkedHashMap<>();

  /** The names of the records that are defined, or about to be: a recursive one calls itself. */
  private final Set<String> defined = new HashSet<>();

  private CheckSteps() {}

  /** A field of the plan, and what is left of its path below the value at hand. */
  private record Wanted(int field, String below) {
    boolean isHere() {
      return below.isEmpty();
    }

    boolean isIn(String name) {
      return below.equals(name) || below.startsWith(name + '.');
    }

    Wanted in(String name) {
      return new Wanted(field, below.equals(name) ? "" : below.substring(name.length() + 1));
    }
  }

  static PlanStep of(Schema schema, List<String> fieldPaths) {
    var wanted = new ArrayList<Wanted>();
    for (int i = 0; i < fieldPaths.size(); i++) {
      wanted.add(new Wanted(i, fieldPaths.get(i)));
    }
    var steps = new CheckSteps();
    steps.countMentions(schema);
    PlanStep root = steps.step(schema, wanted);
    return steps.definitions.isEmpty() ? root : new Define(steps.definitions, root);
  }

  private void countMentions(Schema schema) {
    switch (schema.getType()) {
      case RECORD -> {
        if (mentions.merge(schema.getFullName(), 1, Integer::sum) == 1) {
          schema.getFields().forEach(field -> countMentions(field.schema()));
        }
      }
      case ARRAY -> countMentions(schema.getElementType());
      case MAP -> countMentions(schema.getValueType());
      case UNION -> schema.getTypes().forEach(this::countMentions);
      default -> {}
    }
  }

  private PlanStep step(Schema schema, List<Wanted> wanted) {
    if (schema.isUnion() && schema.isNullable() && schema.getTypes().size() <= 2) {
      return new CheckUnion(
          schema.getTypes().stream()
              .map(
                  branch -> step(branch, branch.getType() == Schema.Type.NULL ? List.of() : wanted))
              .toList());
    }
    PlanStep step = uncaptured(schema, wanted);
    for (Wanted field : wanted) {
      if (field.isHere()) {
        step = new Capture(field.field(), step);
      }
    }
    return step;
  }

  private PlanStep uncaptured(Schema schema, List<Wanted> wanted) {
    return switch (schema.getType()) {
      case NULL -> new Skip(0);
      case BOOLEAN -> new CheckBoolean();
      case INT -> new CheckInt();
      case LONG -> new CheckLong();
      case FLOAT -> new Skip(Float.BYTES);
      case DOUBLE -> new Skip(Double.BYTES);
      case FIXED -> new Skip(schema.getFixedSize());
      case STRING, BYTES -> new CheckBytes();
      case ENUM -> new CheckEnum(schema.getEnumSymbols().size());
      case ARRAY -> new CheckArray(step(schema.getElementType(), List.of()));
      case MAP -> new CheckMap(step(schema.getValueType(), List.of()));
      case UNION ->
          new CheckUnion(schema.getTypes().stream().map(b -> step(b, List.of())).toList());
      case RECORD -> record(schema, wanted.stream().filter(field -> !field.isHere()).toList());
    };
  }

  private PlanStep record(Schema schema, List<Wanted> wanted) {
    String name = schema.getFullName();
    if (!wanted.isEmpty() || mentions.getOrDefault(name, 0) == 1) {
      return fields(schema, wanted);
    }
    if (defined.add(name)) {
      definitions.put(name, fields(schema, wanted));
    }
    return new Call(name);
  }

  private CheckRecord fields(Schema schema, List<Wanted> wanted) {
    var fields = new ArrayList<PlanStep.Field>();
    for (Schema.Field field : schema.getFields()) {
      List<Wanted> below =
          wanted.stream().filter(w -> w.isIn(field.name())).map(w -> w.in(field.name())).toList();
      fields.add(new PlanStep.Field(field.name(), step(field.schema(), below)));
    }
    return new CheckRecord(fields);
  }
}
