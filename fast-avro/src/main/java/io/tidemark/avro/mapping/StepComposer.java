package io.tidemark.avro.mapping;

import io.tidemark.avro.mapping.Shift.Branch;
import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.DecimalText;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Ahead;
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
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Field;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.Part;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.Promotion;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Creates one plan's steps of two conversions: that of a writer schema to its mapped schema, and
 * that of the mapped schema to the reader schema. Used for one plan.
 *
 * <p>Three trees of one shape are walked through together: the {@link Shift}, the steps that check
 * a datum of the writer schema, and the steps that convert a datum of the mapped schema.
 *
 * <p>This is one class, because the steps of records, unions, arrays and maps contain each other.
 */
final class StepComposer {
  private final StepTree check;
  private final Map<String, PlanStep> definitions;
  private final Map<Composed, String> composed = new LinkedHashMap<>();
  private final Map<String, String> taken = new LinkedHashMap<>();

  /** A record's change, and the step that is called with its result. */
  private record Composed(Shift.Fields shift, String then) {}

  private StepComposer(StepTree check, StepTree then) {
    this.check = check;
    definitions = new LinkedHashMap<>(then.definitions());
  }

  static StepTree compose(Shift shift, StepTree check, StepTree then) {
    var composer = new StepComposer(check, then);
    return composer.tree(composer.compose(shift, check.start(), then.start()));
  }

  /**
   * Composes the steps of an envelope's row.
   *
   * @param shift how the encoding changes from the row to its mapped schema
   * @param check the steps that check a datum of the envelope
   * @param then the steps that convert a datum of the mapped schema
   */
  static StepTree compose(Envelope envelope, Shift shift, StepTree check, StepTree then) {
    var composer = new StepComposer(check, then);
    return composer.tree(composer.unwrap(envelope, shift, then.start()));
  }

  /** Looks at {@code after}, and if it is null at {@code before}, and takes the row from there. */
  private PlanStep unwrap(Envelope envelope, Shift shift, PlanStep then) {
    List<Field> read = fieldsOf(check.start());
    PlanStep none = new Unresolvable("the change has no row: before and after are null");
    PlanStep fromBefore =
        ahead(
            envelope,
            read,
            envelope.before(),
            image(envelope, envelope.before(), read, shift, then),
            none);
    return ahead(
        envelope,
        read,
        envelope.after(),
        image(envelope, envelope.after(), read, shift, then),
        fromBefore);
  }

  private PlanStep ahead(
      Envelope envelope, List<Field> read, int image, PlanStep row, PlanStep otherwise) {
    List<PlanStep> branches = new ArrayList<>();
    for (int i = 0; i < ((CheckUnion) read.get(image).step()).branches().size(); i++) {
      branches.add(envelope.isNull(image, i) ? otherwise : row);
    }
    return new Ahead(
        read.subList(0, image).stream()
            .map(field -> new Field(field.name(), taken(field.step())))
            .toList(),
        branches);
  }

  /** Returns the step that takes a whole envelope, and emits a row of one of its images. */
  private RewriteRecord image(
      Envelope envelope, int image, List<Field> read, Shift shift, PlanStep then) {
    CheckUnion union = (CheckUnion) read.get(image).step();
    int branch = envelope.isNull(image, 0) ? 1 : 0;
    List<Field> row = new ArrayList<>(fieldsOf(union.branches().get(branch)));
    int images = row.size();
    for (int i = 0; i < read.size(); i++) {
      if (i != envelope.before() && i != envelope.after()) {
        row.addAll(
            envelope.flat().contains(i) ? fieldsOf(read.get(i).step()) : List.of(read.get(i)));
      }
    }
    List<Optional<Shift>> each =
        shift instanceof Shift.Fields fields
            ? fields.each
            : Collections.nCopies(row.size(), Optional.of(shift));
    RewriteRecord inOrder = fields(each, row, then);

    // The fields in the order of the envelope.
    List<Field> source = new ArrayList<>();
    int[] places = new int[row.size()];
    int next = images;
    for (int i = 0; i < read.size(); i++) {
      String name = read.get(i).name();
      if (i == image) {
        source.add(new Field(name, new Drop(new CheckEnum(union.branches().size()))));
        for (int column = 0; column < images; column++) {
          places[column] = source.size();
          source.add(inOrder.source().get(column));
        }
      } else if (i == envelope.before() || i == envelope.after()) {
        source.add(new Field(name, new Drop(taken(read.get(i).step()))));
      } else {
        int columns = envelope.flat().contains(i) ? fieldsOf(read.get(i).step()).size() : 1;
        for (int column = 0; column < columns; column++) {
          places[next] = source.size();
          source.add(inOrder.source().get(next++));
        }
      }
    }
    return new RewriteRecord(source, moved(inOrder.table(), places));
  }

  private static List<Part> moved(List<Part> parts, int[] places) {
    return parts.stream()
        .map(part -> part instanceof Moved moved ? new Moved(places[moved.source()]) : part)
        .toList();
  }

  /** Returns the fields of a record of the writer schema. */
  private List<Field> fieldsOf(PlanStep step) {
    PlanStep laidOut =
        step instanceof Call call
            ? Objects.requireNonNull(check.definitions().get(call.record()))
            : step;
    return ((CheckRecord) laidOut).fields();
  }

  /** Returns the steps without the records that are no longer called. */
  private StepTree tree(PlanStep root) {
    Map<String, PlanStep> called = new LinkedHashMap<>();
    var unseen = new ArrayDeque<>(StepTree.calls(root));
    while (!unseen.isEmpty()) {
      String name = unseen.removeFirst();
      if (!called.containsKey(name)) {
        PlanStep record = Objects.requireNonNull(definitions.get(name));
        called.put(name, record);
        unseen.addAll(StepTree.calls(record));
      }
    }
    return new StepTree(called.isEmpty() ? root : new Define(called, root));
  }

  private PlanStep compose(Shift shift, PlanStep from, PlanStep then) {
    if (shift instanceof Shift.Same || then instanceof Unresolvable) {
      return then;
    }
    if (then instanceof Capture capture) {
      return new Capture(capture.field(), compose(shift, from, capture.step()));
    }
    if (then instanceof WriteIndex index) {
      return new WriteIndex(index.branch(), compose(shift, from, index.step()));
    }
    if (then instanceof Drop) {
      return new Drop(taken(from));
    }
    if (shift instanceof Shift.Leaf leaf) {
      return new Convert(taken(from), conversion(leaf.conversion(), then));
    }
    if (shift instanceof Shift.Items items) {
      return items(items.shift(), from, then);
    }
    if (shift instanceof Shift.Union union) {
      return union(union, (CheckUnion) from, then);
    }
    return shift instanceof Shift.UnionRecord union
        ? unionRecord(union, (CheckUnion) from, then)
        : record((Shift.Fields) shift, from, then);
  }

  /** Returns the conversion that also does what a step does with its result. */
  private static Conversion conversion(Conversion conversion, PlanStep then) {
    if (isPlain(then)) {
      return conversion;
    }
    // A decimal of fixed that becomes bytes may be too wide for the reader.
    if (conversion instanceof DecimalWidth width && then instanceof CheckDecimal narrowed) {
      return width.ofDigits(narrowed.digits());
    }
    if (then instanceof Convert next) {
      if (conversion instanceof DecimalWidth && next.conversion() instanceof DecimalText text) {
        return text.ofFixed();
      }
      // Numbers are masked by zero.
      if (conversion instanceof Masked && next.conversion() instanceof Promotion promotion) {
        return new Masked(new byte[promotion.size()]);
      }
    }
    throw again();
  }

  private static boolean isPlain(PlanStep step) {
    return step instanceof CheckInt
        || step instanceof CheckLong
        || step instanceof CheckBytes
        || step instanceof CheckBoolean
        || step instanceof Skip;
  }

  private static UnmappableSchemaException again() {
    return new UnmappableSchemaException(
        "a value that a rule converts would have to be converted again, to another type of the reader schema");
  }

  private PlanStep items(Shift shift, PlanStep from, PlanStep then) {
    if (from instanceof CheckArray array) {
      if (then instanceof CheckArray same) {
        return new RewriteArray(compose(shift, array.items(), same.items()));
      }
      if (then instanceof RewriteArray rewrite) {
        return new RewriteArray(compose(shift, array.items(), rewrite.items()));
      }
    } else if (from instanceof CheckMap map) {
      if (then instanceof CheckMap same) {
        return new RewriteMap(compose(shift, map.values(), same.values()));
      }
      if (then instanceof RewriteMap rewrite) {
        return new RewriteMap(compose(shift, map.values(), rewrite.values()));
      }
    }
    throw again();
  }

  private PlanStep union(Shift.Union union, CheckUnion from, PlanStep then) {
    List<PlanStep> targets = branches(then);
    List<PlanStep> made = new ArrayList<>();
    for (int i = 0; i < union.branches().size(); i++) {
      Branch branch = union.branches().get(i);
      made.add(compose(branch.shift(), from.branches().get(i), targets.get(branch.target())));
    }
    return new RewriteUnion(made);
  }

  /** Returns the steps of a union's branches, with the index that each emits. */
  private static List<PlanStep> branches(PlanStep then) {
    if (then instanceof RewriteUnion union) {
      return union.branches();
    }
    if (!(then instanceof CheckUnion union)) {
      throw again();
    }
    List<PlanStep> branches = new ArrayList<>();
    for (PlanStep branch : union.branches()) {
      branches.add(new WriteIndex(branches.size(), branch));
    }
    return branches;
  }

  private PlanStep unionRecord(Shift.UnionRecord union, CheckUnion from, PlanStep then) {
    List<PlanStep> around = union.nullable() ? branches(then) : List.of(then);
    PlanStep record = around.get(around.size() - 1);
    List<PlanStep> made = new ArrayList<>();
    for (int i = 0; i < union.branches().size(); i++) {
      Branch branch = union.branches().get(i);
      made.add(
          branch.target() == Shift.UnionRecord.NULL
              ? around.get(0)
              : member(branch, from.branches().get(i), record));
    }
    return new RewriteUnion(made);
  }

  /** Returns the step that makes a record of a union's branch: all its other fields are null. */
  private PlanStep member(Branch branch, PlanStep from, PlanStep then) {
    if (then instanceof WriteIndex index) {
      return new WriteIndex(index.branch(), member(branch, from, index.step()));
    }
    if (then instanceof Capture capture) {
      return new Capture(capture.field(), member(branch, from, capture.step()));
    }
    if (then instanceof Unresolvable) {
      return then;
    }
    if (then instanceof Drop) {
      return new Drop(taken(from));
    }
    RewriteRecord record = rewrite(then);
    Field field = record.source().get(branch.target());
    PlanStep value =
        field.step() instanceof Drop
            ? new Drop(taken(from))
            : compose(branch.shift(), from, branches(field.step()).get(1));
    List<Part> parts = new ArrayList<>();
    for (Part part : record.table()) {
      if (!(part instanceof Moved moved)) {
        parts.add(part);
      } else if (moved.source() == branch.target()) {
        parts.add(new Moved(0));
      } else {
        Field other = record.source().get(moved.source());
        parts.add(new Added(other.name(), nullOf(other.step())));
      }
    }
    return new RewriteRecord(List.of(new Field(field.name(), value)), parts);
  }

  private static PlanStep nullOf(PlanStep field) {
    if (branches(field).get(0) instanceof WriteIndex index && index.step() instanceof Skip) {
      return new WriteIndex(index.branch(), new Write(List.of()));
    }
    throw again();
  }

  private PlanStep record(Shift.Fields shift, PlanStep from, PlanStep then) {
    if (then instanceof Call call) {
      var key = new Composed(shift, call.record());
      String known = composed.get(key);
      if (known == null) {
        known = freeName("mapped " + call.record());
        composed.put(key, known);
        definitions.put(known, new Skip(0)); // A placeholder: the record may contain itself.
        definitions.put(known, fields(shift.each, fieldsOf(from), then));
      }
      return new Call(known);
    }
    return fields(shift.each, fieldsOf(from), then);
  }

  private RewriteRecord fields(List<Optional<Shift>> each, List<Field> read, PlanStep then) {
    RewriteRecord record = rewrite(then);
    List<Field> source = new ArrayList<>();
    int[] places = new int[record.source().size()];
    int next = 0;
    for (int i = 0; i < read.size(); i++) {
      PlanStep taking = read.get(i).step();
      if (each.get(i).isEmpty()) {
        source.add(new Field(read.get(i).name(), new Drop(taken(taking))));
      } else {
        Field mapped = record.source().get(next);
        places[next++] = i;
        source.add(new Field(mapped.name(), compose(each.get(i).get(), taking, mapped.step())));
      }
    }
    return new RewriteRecord(source, moved(record.table(), places));
  }

  /** Returns the step of a record as one that converts it. */
  private RewriteRecord rewrite(PlanStep step) {
    if (step instanceof Call call) {
      return rewrite(Objects.requireNonNull(definitions.get(call.record())));
    }
    if (step instanceof RewriteRecord record) {
      return record;
    }
    if (!(step instanceof CheckRecord record)) {
      throw again();
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < record.fields().size(); i++) {
      parts.add(new Moved(i));
    }
    return new RewriteRecord(record.fields(), parts);
  }

  /** Returns the step that takes a value of the writer schema, as a step of the composed plan. */
  private PlanStep taken(PlanStep step) {
    if (step instanceof Call call) {
      String known = taken.get(call.record());
      if (known == null) {
        known = freeName("taken " + call.record());
        taken.put(call.record(), known);
        // A placeholder of the same kind: the record may contain itself.
        definitions.put(known, new CheckRecord(List.of()));
        definitions.put(
            known, taken(Objects.requireNonNull(check.definitions().get(call.record()))));
      }
      return new Call(known);
    }
    if (step instanceof CheckRecord record) {
      return new CheckRecord(
          record.fields().stream()
              .map(field -> new Field(field.name(), taken(field.step())))
              .toList());
    }
    if (step instanceof CheckUnion union) {
      return new CheckUnion(union.branches().stream().map(this::taken).toList());
    }
    if (step instanceof CheckArray array) {
      return new CheckArray(taken(array.items()));
    }
    return step instanceof CheckMap map ? new CheckMap(taken(map.values())) : step;
  }

  private String freeName(String name) {
    String free = name;
    for (int i = 2; definitions.containsKey(free); i++) {
      free = name + " (" + i + ')';
    }
    return free;
  }
}
