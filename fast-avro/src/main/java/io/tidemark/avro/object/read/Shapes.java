package io.tidemark.avro.object.read;

import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Resolver.EnumAdjust;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Returns names for the code of simple values. Values with equal names are read by equal code, so
 * they can share a method or a loop. A wide record then has few methods. The JIT compiler compiles
 * them soon, and they stay in the processor's cache.
 */
final class Shapes {
  private final TextClasses texts;

  Shapes(TextClasses texts) {
    this.texts = texts;
  }

  /**
   * Returns the name of the code that reads a value before any conversion. Returns null if the code
   * contains a schema, a conversion or an error of its own.
   */
  @Nullable String of(Action action) {
    if (action instanceof WriterUnion union) {
      return union(union);
    }
    if (action instanceof Container container) {
      return container.reader.getType() == Schema.Type.MAP ? map(container) : null;
    }
    if (action.type != Action.Type.DO_NOTHING) {
      return null;
    }
    return switch (action.reader.getType()) {
      case FIXED -> null;
      case STRING -> texts.classOf(action.reader).getName();
      default -> action.reader.getType().name();
    };
  }

  /**
   * Returns the name of the code that reads a value with an argument of its field: {@link
   * #argument}. Returns null if there is no such code, or if {@link #of} has a name.
   */
  @Nullable String withArgument(Action action) {
    if (action instanceof EnumAdjust) {
      return "enum";
    }
    if (action instanceof Container container && container.reader.getType() == Schema.Type.ARRAY) {
      String operation = ContainerCode.operation(container.elementAction, texts);
      return operation.isEmpty() ? null : "array " + operation;
    }
    return action.type == Action.Type.DO_NOTHING && action.reader.getType() == Schema.Type.FIXED
        ? "fixed"
        : null;
  }

  /** Returns the argument for the code that {@link #withArgument} has named. */
  static Object argument(Action action) {
    return action instanceof EnumAdjust symbols
        ? new Symbols(symbols.values, symbols.writer)
        : action.reader;
  }

  /** Returns the action of a branch of a writer's union, whichever the reader's branch is. */
  static Action actual(Action branch) {
    return branch instanceof ReaderUnion choice ? choice.actualAction : branch;
  }

  private @Nullable String union(WriterUnion union) {
    var shape = new StringBuilder("union");
    for (Action branch : union.actions) {
      Action actual = actual(branch);
      String branchShape = actual.conversion == null ? of(actual) : null;
      if (branchShape == null) {
        return null;
      }
      shape.append(" (").append(branchShape).append(')');
    }
    return shape.toString();
  }

  private @Nullable String map(Container map) {
    Action values = map.elementAction;
    String shape = values.conversion == null ? of(values) : null;
    return shape == null ? null : "map " + texts.classOf(map.reader).getName() + " (" + shape + ')';
  }
}
