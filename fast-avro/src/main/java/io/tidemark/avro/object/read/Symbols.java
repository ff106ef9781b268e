package io.tidemark.avro.object.read;

import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an enum's symbols, by the index in the writer schema. Safe for use by many
 * threads.
 */
final class Symbols {
  private final @Nullable Object[] values;
  private final Schema writer;

  /**
   * Uses the array without a copy.
   *
   * @param values the objects; null for a symbol that the reader schema lacks
   */
  Symbols(@Nullable Object[] values, Schema writer) {
    this.values = values;
    this.writer = writer;
  }

  /** Returns the object of a symbol. */
  Object get(int index) {
    Object symbol = values[index];
    if (symbol == null) {
      throw new AvroTypeException("No match for " + writer.getEnumSymbols().get(index));
    }
    return symbol;
  }
}
