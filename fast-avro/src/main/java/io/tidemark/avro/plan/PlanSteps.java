package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.DecimalText;
import io.tidemark.avro.plan.step.EnumIndex;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Call;
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
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.Promotion;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Resolver;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Resolver.EnumAdjust;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;

/**
 * Creates the steps of a plan from a {@link Resolution}.
 *
 * <p>A record that occurs in one place is laid out there. A record that occurs in several places,
 * as every recursive record does, is defined once and called, so the steps never outgrow the
 * schemas. Records on the path to a captured field are always laid out: the path means the field of
 * the outermost record, not of records nested in it.
 */
final class PlanSteps {
  private final Resolution resolution;
  private final DefaultSteps defaults;
  private final Map<String, PlanStep> definitions = new LinkedHashMap<>();

  /** The records of the resolution, and those of dropped fields, by the writer's schema. */
  private final Places emitted = new Places("");

  private final Places dropped = new Places("dropped ");
  private final IdentityHashMap<Schema, Action> droppedFields = new IdentityHashMap<>();

  private PlanSteps(Resolution resolution, DefaultSteps defaults) {
    this.resolution = resolution;
    this.defaults = defaults;
  }

  /** The number of places in which records occur, and the names under which they are defined. */
  private static final class Places {
    final String prefix;
    final IdentityHashMap<Object, Integer> counts = new IdentityHashMap<>();
    final IdentityHashMap<Object, String> names = new IdentityHashMap<>();

    Places(String prefix) {
      this.prefix = prefix;
    }

    /** Adds a place of a record, and returns whether it is the first. */
    boolean add(Object record) {
      return counts.merge(record, 1, Integer::sum) == 1;
    }

    boolean isOnly(Object record) {
      return counts.getOrDefault(record, 0) == 1;
    }
  }

  static PlanStep of(
      Resolution resolution, Action root, DefaultSteps defaults, List<String> fieldPaths) {
    var steps = new PlanSteps(resolution, defaults);
    steps.count(root, steps.emitted);
    PlanStep step = steps.step(root, root.reader, CapturedPath.of(fieldPaths), steps.emitted);
    return steps.definitions.isEmpty() ? step : new Define(steps.definitions, step);
  }

  private void count(Action action, Places places) {
    if (action instanceof Container container) {
      count(container.elementAction, places);
    } else if (action instanceof WriterUnion union) {
      for (Action branch : union.actions) {
        count(branch, places);
      }
    } else if (action instanceof ReaderUnion union) {
      count(union.actualAction, places);
    } else if (action.type == Action.Type.SKIP) {
      count(droppedField(action.writer), dropped);
    } else if (action instanceof RecordAdjust record && places.add(key(record, places))) {
      for (Action field : record.fieldActions) {
        count(field, places);
      }
    }
  }

  private Object key(RecordAdjust record, Places places) {
    return places == dropped ? record.writer : record;
  }

  /** Returns the action of a dropped field. The field is checked by reading it as its own type. */
  private Action droppedField(Schema schema) {
    return droppedFields.computeIfAbsent(schema, s -> Resolver.resolve(s, s));
  }

  private PlanStep step(Action action, Schema table, List<CapturedPath> paths, Places places) {
    // A captured field is the value without the index of a nullable union.
    return DefaultSteps.isNullable(table)
        ? uncaptured(action, table, paths, places)
        : CapturedPath.capture(paths, uncaptured(action, table, CapturedPath.below(paths), places));
  }

  private PlanStep uncaptured(
      Action action, Schema table, List<CapturedPath> paths, Places places) {
    if (action instanceof WriterUnion union) {
      return union(union, table, paths, places);
    }
    if (action instanceof ReaderUnion union) {
      return new WriteIndex(
          union.firstMatch, branch(union.actualAction, table, union.firstMatch, paths, places));
    }
    if (action instanceof Container container) {
      return container(container, places);
    }
    if (action instanceof EnumAdjust adjust) {
      return enumeration(adjust);
    }
    if (action instanceof RecordAdjust record) {
      return record(record, paths, places);
    }
    Schema writer = action.writer;
    return switch (action.type) {
      case DO_NOTHING -> copied(action);
      case PROMOTE ->
          Resolution.isDecimalText(action)
              ? new Convert(
                  new CheckBytes(),
                  new DecimalText(((LogicalTypes.Decimal) writer.getLogicalType()).getScale()))
              : Resolution.keepsBytes(writer.getType(), table.getType())
                  ? copied(action)
                  : new Convert(
                      copied(action),
                      new Promotion(writer.getType().getName(), table.getType().getName(), false));
      default ->
          throw new IllegalArgumentException(
              "no step for " + action.type + " of " + writer.getFullName());
    };
  }

  private static PlanStep copied(Action action) {
    Schema schema = action.writer;
    if (Resolution.isNarrowed(action)) {
      return new CheckDecimal(
          ((LogicalTypes.Decimal) action.reader.getLogicalType()).getPrecision());
    }
    return switch (schema.getType()) {
      case NULL -> new Skip(0);
      case BOOLEAN -> new CheckBoolean();
      case INT -> new CheckInt();
      case LONG -> new CheckLong();
      case FLOAT -> new Skip(Float.BYTES);
      case DOUBLE -> new Skip(Double.BYTES);
      case FIXED -> new Skip(schema.getFixedSize());
      case STRING, BYTES -> new CheckBytes();
      default -> throw new IllegalArgumentException(schema.getType() + " is made of others");
    };
  }

  private PlanStep union(WriterUnion union, Schema table, List<CapturedPath> paths, Places places) {
    boolean copies = resolution.copies(union);
    var branches = new ArrayList<PlanStep>();
    for (int i = 0; i < union.actions.length; i++) {
      Action action = union.actions[i];
      if (!resolution.resolves(action)) {
        branches.add(new Unresolvable(resolution.fault(action)));
      } else if (copies) {
        Action same = action instanceof ReaderUnion to ? to.actualAction : action;
        branches.add(branch(same, table, i, paths, places));
      } else if (union.unionEquiv) {
        branches.add(new WriteIndex(i, branch(action, table, i, paths, places)));
      } else {
        branches.add(step(action, table, paths, places));
      }
    }
    return copies ? new CheckUnion(branches) : new RewriteUnion(branches);
  }

  private PlanStep branch(
      Action action, Schema union, int index, List<CapturedPath> paths, Places places) {
    Schema branch = union.getTypes().get(index);
    return step(action, branch, branch.getType() == Schema.Type.NULL ? List.of() : paths, places);
  }

  private PlanStep container(Container container, Places places) {
    boolean array = container.reader.getType() == Schema.Type.ARRAY;
    Schema of = array ? container.reader.getElementType() : container.reader.getValueType();
    PlanStep items = step(container.elementAction, of, List.of(), places);
    if (resolution.copies(container)) {
      return array ? new CheckArray(items) : new CheckMap(items);
    }
    return array ? new RewriteArray(items) : new RewriteMap(items);
  }

  private PlanStep enumeration(EnumAdjust adjust) {
    List<String> names = adjust.writer.getEnumSymbols();
    if (resolution.copies(adjust)) {
      return new CheckEnum(names.size());
    }
    return new Convert(new CheckEnum(names.size()), new EnumIndex(names, adjust.adjustments));
  }

  private PlanStep record(RecordAdjust record, List<CapturedPath> paths, Places places) {
    Object key = key(record, places);
    if (!paths.isEmpty() || places.isOnly(key)) {
      return fields(record, paths, places);
    }
    String name = places.names.get(key);
    if (name == null) {
      name = freeName(places.prefix + record.reader.getFullName());
      places.names.put(key, name);
      definitions.put(name, new Skip(0)); // A placeholder: the record may contain itself.
      definitions.put(name, fields(record, paths, places));
    }
    return new Call(name);
  }

  /** Returns an unused name: two records of a writer may become one of the reader. */
  private String freeName(String name) {
    String free = name;
    for (int i = 2; definitions.containsKey(free); i++) {
      free = name + " (" + i + ')';
    }
    return free;
  }

  private PlanStep fields(RecordAdjust record, List<CapturedPath> paths, Places places) {
    var source = new ArrayList<PlanStep.Field>();
    for (int i = 0; i < record.fieldActions.length; i++) {
      Action action = record.fieldActions[i];
      String name = record.writer.getFields().get(i).name();
      Schema.Field field = record.reader.getField(name);
      PlanStep step =
          field == null
              ? new Drop(step(droppedField(action.writer), action.writer, List.of(), dropped))
              : step(action, field.schema(), CapturedPath.in(paths, name), places);
      source.add(new PlanStep.Field(name, step));
    }
    if (resolution.copies(record)) {
      return new CheckRecord(source);
    }
    var table = new ArrayList<PlanStep.Part>();
    for (Schema.Field field : record.reader.getFields()) {
      Schema.Field from = record.writer.getField(field.name());
      table.add(
          from == null
              ? new Added(field.name(), defaults.of(field, CapturedPath.in(paths, field.name())))
              : new Moved(from.pos()));
    }
    return new RewriteRecord(source, table);
  }
}
