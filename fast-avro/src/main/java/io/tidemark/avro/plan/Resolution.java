package io.tidemark.avro.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Resolver.EnumAdjust;
import org.apache.avro.Resolver.ErrorAction;
import org.apache.avro.Resolver.Promote;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;

/**
 * The result of Avro's schema resolution for a writer and a reader schema, checked before any datum
 * is read.
 *
 * <p>Avro's resolver maps fields, branches and symbols, so data are read here as Avro reads them.
 * It reports errors only when a datum meets them. This class reports them at once, except those of
 * only some branches of a union or some symbols of an enum. Two checks are stricter than the
 * library: records must have the same name, as Avro's specification requires, and logical types
 * must not contradict each other.
 */
final class Resolution {
  private final Schema writer;
  private final Action root;
  private final Set<RecordAdjust> records = identitySet();

  /** Records of which no datum can be read. */
  private final Set<RecordAdjust> broken = identitySet();

  /** Records whose encoding differs between the schemas. */
  private final Set<RecordAdjust> rewritten = identitySet();

  /** A place where the two schemas do not fit together. */
  record Misfit(SchemaPlace place, String cause) {}

  Resolution(Schema writer, Action root) {
    this.writer = writer;
    this.root = root;
    addRecords(root);
    grow(broken, record -> !fieldsResolve(record));
    grow(rewritten, record -> !fieldsCopy(record));
  }

  /** Returns the first place at which no datum can be read, or logical types contradict. */
  Optional<Misfit> misfit() {
    SchemaPlace place = SchemaPlace.root(writer);
    return resolves(root)
        ? contradiction(root, place, identitySet())
        : Optional.of(fault(root, place, identitySet()));
  }

  /** Returns whether there are data that can be read. */
  boolean resolves(Action action) {
    if (action instanceof ErrorAction) {
      return false;
    }
    if (action instanceof Container container) {
      return resolves(container.elementAction);
    }
    if (action instanceof EnumAdjust adjust) {
      // An enum without symbols and a union without branches have no data that could fail.
      return adjust.adjustments.length == 0
          || Arrays.stream(adjust.adjustments).anyMatch(symbol -> symbol >= 0);
    }
    if (action instanceof RecordAdjust record) {
      return !broken.contains(record);
    }
    if (action instanceof WriterUnion union) {
      return union.actions.length == 0 || Arrays.stream(union.actions).anyMatch(this::resolves);
    }
    return !(action instanceof ReaderUnion union) || resolves(union.actualAction);
  }

  /** Returns whether data that can be read keep their bytes. */
  boolean copies(Action action) {
    if (action instanceof Promote) {
      return keepsBytes(action.writer.getType(), action.reader.getType()) && !isDecimalText(action);
    }
    if (action instanceof Container container) {
      return copies(container.elementAction);
    }
    if (action instanceof EnumAdjust adjust) {
      return IntStream.range(0, adjust.adjustments.length)
          .allMatch(symbol -> adjust.adjustments[symbol] == symbol);
    }
    if (action instanceof RecordAdjust record) {
      return !rewritten.contains(record);
    }
    if (action instanceof WriterUnion union) {
      return IntStream.range(0, union.actions.length).allMatch(i -> branchCopies(union, i));
    }
    return action.type == Action.Type.DO_NOTHING;
  }

  /** Returns the reason why no value of a branch can be read. */
  String fault(Action branch) {
    Misfit fault = fault(branch, SchemaPlace.root(branch.writer), identitySet());
    return fault.place().inWords() + fault.cause();
  }

  private static String cause(Action action) {
    Schema from = action.writer;
    Schema to = action.reader;
    if (action instanceof EnumAdjust) {
      return "enum %s shares no symbol with the reader's enum, which has no default"
          .formatted(from.getFullName());
    }
    if (action instanceof RecordAdjust && !from.getName().equals(to.getName())) {
      return otherName(from, to);
    }
    if (action instanceof ErrorAction error) {
      return switch (error.error) {
        case NAMES_DONT_MATCH -> otherName(from, to);
        case SIZES_DONT_MATCH ->
            "fixed %s of %d bytes cannot be read as one of %d"
                .formatted(from.getFullName(), from.getFixedSize(), to.getFixedSize());
        case MISSING_REQUIRED_FIELD -> "the writer lacks it, and it has no default";
        default ->
            onlyRecord(to)
                .filter(record -> from.getType() == Schema.Type.RECORD)
                .filter(record -> !record.getName().equals(from.getName()))
                .map(record -> otherName(from, record))
                .orElse(describe(from) + " cannot be read as " + describe(to));
      };
    }
    return describe(from) + " cannot be read as " + describe(to);
  }

  /** Returns whether a decimal becomes its text. The library would read its bytes as a text. */
  static boolean isDecimalText(Action action) {
    return action.writer.getType() == Schema.Type.BYTES
        && action.writer.getLogicalType() instanceof LogicalTypes.Decimal
        && action.reader.getType() == Schema.Type.STRING
        && action.reader.getProp(WideDecimals.TEXT_OF) != null;
  }

  /** Returns whether a decimal of bytes has fewer digits in the reader, which each datum needs. */
  static boolean isNarrowed(Action action) {
    return action.writer.getType() == Schema.Type.BYTES
        && action.writer.getLogicalType() instanceof LogicalTypes.Decimal from
        && action.reader != null
        && action.reader.getType() == Schema.Type.BYTES
        && action.reader.getLogicalType() instanceof LogicalTypes.Decimal to
        && from.getScale() == to.getScale()
        && from.getPrecision() > to.getPrecision();
  }

  static boolean keepsBytes(Schema.Type from, Schema.Type to) {
    return from == Schema.Type.STRING
        || from == Schema.Type.BYTES
        || (from == Schema.Type.INT && to == Schema.Type.LONG);
  }

  private void addRecords(Action action) {
    if (action instanceof Container container) {
      addRecords(container.elementAction);
    } else if (action instanceof WriterUnion union) {
      Arrays.stream(union.actions).forEach(this::addRecords);
    } else if (action instanceof ReaderUnion union) {
      addRecords(union.actualAction);
    } else if (action instanceof RecordAdjust record && records.add(record)) {
      Arrays.stream(record.fieldActions).forEach(this::addRecords);
    }
  }

  /** Adds records to a set until no further record belongs to it. */
  private void grow(Set<RecordAdjust> set, Predicate<RecordAdjust> belongs) {
    List<RecordAdjust> more;
    do {
      more = new ArrayList<>();
      for (RecordAdjust record : records) {
        if (!set.contains(record) && belongs.test(record)) {
          more.add(record);
        }
      }
      set.addAll(more);
    } while (!more.isEmpty());
  }

  private boolean fieldsResolve(RecordAdjust record) {
    // The resolver leaves a recursive record unfinished if it lacks a field.
    return record.writer.getName().equals(record.reader.getName())
        && missingField(record).isEmpty()
        && Arrays.stream(record.fieldActions).allMatch(this::resolves);
  }

  private boolean fieldsCopy(RecordAdjust record) {
    List<Schema.Field> fields = record.writer.getFields();
    List<Schema.Field> tableFields = record.reader.getFields();
    return fields.size() == tableFields.size()
        && IntStream.range(0, fields.size())
            .allMatch(
                i ->
                    fields.get(i).name().equals(tableFields.get(i).name())
                        && copies(record.fieldActions[i]));
  }

  private boolean branchCopies(WriterUnion union, int i) {
    Action branch = union.actions[i];
    // A record with another name and without fields would copy, if it were not rejected.
    return resolves(branch)
        && (union.unionEquiv
            ? copies(branch)
            : branch instanceof ReaderUnion to && to.firstMatch == i && copies(to.actualAction));
  }

  private static Optional<Schema.Field> missingField(Action record) {
    return record.reader.getFields().stream()
        .filter(field -> !field.hasDefaultValue() && record.writer.getField(field.name()) == null)
        .findFirst();
  }

  /** Returns the innermost error of a place that does not resolve. */
  private Misfit fault(Action action, SchemaPlace place, Set<RecordAdjust> seen) {
    if (action instanceof Container container) {
      return fault(container.elementAction, place.items(), seen);
    }
    if (action instanceof ReaderUnion union) {
      return fault(union.actualAction, place, seen);
    }
    if (action instanceof WriterUnion union) {
      return fault(union.actions[0], place.branch(0), seen);
    }
    if (action.writer.getType() == Schema.Type.RECORD
        && action.reader.getType() == Schema.Type.RECORD) {
      Optional<Schema.Field> missing = missingField(action);
      if (missing.isPresent()) {
        return new Misfit(
            place.missing(missing.get().name()), "the writer lacks it, and it has no default");
      }
    }
    if (action instanceof RecordAdjust record
        && record.writer.getName().equals(record.reader.getName())
        && seen.add(record)) {
      for (int i = 0; i < record.fieldActions.length; i++) {
        if (!resolves(record.fieldActions[i])) {
          return fault(record.fieldActions[i], field(record, i, place), seen);
        }
      }
    }
    return new Misfit(place, cause(action));
  }

  /**
   * Returns the first field whose logical types contradict each other, such as milliseconds and
   * microseconds. Avro's library would return the bare number. A logical type on one side only is
   * accepted.
   */
  private Optional<Misfit> contradiction(Action action, SchemaPlace place, Set<RecordAdjust> seen) {
    if (action instanceof WriterUnion union) {
      return first(
          IntStream.range(0, union.actions.length)
              .filter(i -> resolves(union.actions[i]))
              .mapToObj(i -> contradiction(union.actions[i], place.branch(i), seen)));
    }
    if (action instanceof ReaderUnion union) {
      return contradiction(union.actualAction, place, seen);
    }
    if (action.type == Action.Type.SKIP) {
      return Optional.empty();
    }
    LogicalType written = action.writer.getLogicalType();
    LogicalType read = action.reader.getLogicalType();
    if (written != null && read != null && !agree(written, read) && !isNarrowed(action)) {
      return Optional.of(
          new Misfit(
              place, "written as " + describe(written) + ", but the reader has " + describe(read)));
    }
    if (action instanceof Container container) {
      return contradiction(container.elementAction, place.items(), seen);
    }
    if (action instanceof RecordAdjust record && seen.add(record)) {
      return first(
          IntStream.range(0, record.fieldActions.length)
              .mapToObj(i -> contradiction(record.fieldActions[i], field(record, i, place), seen)));
    }
    return Optional.empty();
  }

  private static SchemaPlace field(RecordAdjust record, int i, SchemaPlace place) {
    return place.field(i, record.writer.getFields().get(i).name());
  }

  private static Optional<Misfit> first(Stream<Optional<Misfit>> misfits) {
    return misfits.flatMap(Optional::stream).findFirst();
  }

  /** Returns whether logical types agree: decimals with the same scale and enough digits do. */
  private static boolean agree(LogicalType written, LogicalType read) {
    if (written instanceof LogicalTypes.Decimal from && read instanceof LogicalTypes.Decimal to) {
      return from.getScale() == to.getScale() && from.getPrecision() <= to.getPrecision();
    }
    return written.getName().equals(read.getName());
  }

  private static String describe(LogicalType type) {
    return type instanceof LogicalTypes.Decimal decimal
        ? "decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")"
        : type.getName();
  }

  /** Returns the only branch of a union that is a record. */
  private static Optional<Schema> onlyRecord(Schema union) {
    List<Schema> records =
        TypeNames.types(union).stream()
            .filter(branch -> branch.getType() == Schema.Type.RECORD)
            .toList();
    return records.size() == 1 ? Optional.of(records.get(0)) : Optional.empty();
  }

  private static String otherName(Schema from, Schema to) {
    return "%s %s has another name than the reader's %s, which does not list it as an alias"
        .formatted(from.getType().getName(), from.getFullName(), to.getFullName());
  }

  private static String describe(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().map(Schema::getFullName).toList().toString()
        : schema.getFullName();
  }

  private static <T> Set<T> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
