package io.tidemark.registry.kafka;

import org.apache.avro.Schema;

/**
 * Checks a datum before Avro's library creates its objects: each length, count, index and end must
 * fit the bytes. For one datum and one thread.
 *
 * <p>Avro's library allocates memory for each length or count that a datum declares: six bytes can
 * declare two gigabytes of text, or two billion nulls. It also reads nested records until the stack
 * overflows.
 */
final class DatumBounds {
  private static final int MOST_DEEP = 1_000;

  /**
   * Maximum number of values without bytes, such as nulls, which the datum's size does not limit.
   */
  private static final long MOST_EMPTY_VALUES = 1 << 20;

  private static final long MOST_VALUES_A_BYTE = 4;

  /** Thrown if a datum is not of its schema. */
  static final class MisfitException extends Exception {
    private static final long serialVersionUID = 1L;

    private MisfitException(String message) {
      super(message);
    }
  }

  private final byte[] bytes;
  private final int start;
  private final long mostValues;
  private int at;
  private long values;

  private DatumBounds(byte[] bytes, int start) {
    this.bytes = bytes;
    this.start = start;
    this.at = start;
    this.mostValues = MOST_EMPTY_VALUES + MOST_VALUES_A_BYTE * (bytes.length - start);
  }

  /**
   * Checks that the bytes beginning at {@code start} are one datum of a schema.
   *
   * @param toTheEnd no bytes may follow
   */
  static void check(Schema schema, byte[] bytes, int start, boolean toTheEnd)
      throws MisfitException {
    DatumBounds bounds = new DatumBounds(bytes, start);
    bounds.value(schema, 1);
    if (toTheEnd && bounds.at < bytes.length) {
      throw bounds.misfit((bytes.length - bounds.at) + " bytes are left after the datum");
    }
  }

  private void value(Schema schema, int depth) throws MisfitException {
    if (depth > MOST_DEEP) {
      throw misfit("values are nested deeper than " + MOST_DEEP);
    }
    if (++values > mostValues) {
      throw misfit("it declares more than " + mostValues + " values");
    }
    switch (schema.getType()) {
      case NULL -> {}
      case BOOLEAN -> skip(1);
      case INT -> {
        long value = number();
        if (value != (int) value) {
          throw misfit("the int " + value + " has more than 32 bits");
        }
      }
      case LONG -> number();
      case FLOAT -> skip(Float.BYTES);
      case DOUBLE -> skip(Double.BYTES);
      case STRING, BYTES -> text();
      case FIXED -> skip(schema.getFixedSize());
      case ENUM -> index(schema.getEnumSymbols().size(), "symbols");
      case UNION ->
          value(schema.getTypes().get(index(schema.getTypes().size(), "types")), depth + 1);
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          value(field.schema(), depth + 1);
        }
      }
      case ARRAY -> {
        for (long items = block(); items > 0; items = block()) {
          for (long i = 0; i < items; i++) {
            value(schema.getElementType(), depth + 1);
          }
        }
      }
      case MAP -> {
        for (long entries = block(); entries > 0; entries = block()) {
          for (long i = 0; i < entries; i++) {
            text();
            value(schema.getValueType(), depth + 1);
          }
        }
      }
    }
  }

  /** Returns the number of items of the next block; 0 ends an array or a map. */
  private long block() throws MisfitException {
    long count = number();
    if (count < 0) {
      long size = number();
      if (size < 0 || size > bytes.length - at) {
        throw misfit("it declares a block of " + size + " bytes, which is out of range");
      }
      count = -count;
    }
    // The limit is checked first: a negative count may have no positive counterpart.
    if (count < 0 || count > mostValues) {
      throw misfit("it declares more than " + mostValues + " values");
    }
    return count;
  }

  private int index(int size, String what) throws MisfitException {
    long index = number();
    if (index < 0 || index >= size) {
      throw misfit("the index " + index + " is out of range of " + size + " " + what);
    }
    return (int) index;
  }

  private void text() throws MisfitException {
    skip(number());
  }

  private void skip(long count) throws MisfitException {
    if (count < 0 || count > bytes.length - at) {
      throw misfit(
          "it declares " + count + " bytes, but only " + (bytes.length - at) + " are left");
    }
    at += (int) count;
  }

  /** Returns a zigzag number in groups of 7 bits, the lowest first. */
  private long number() throws MisfitException {
    long raw = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == bytes.length) {
        throw misfit("a number is cut off");
      }
      byte next = bytes[at++];
      raw |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw misfit("a number has no end");
  }

  private MisfitException misfit(String problem) {
    return new MisfitException(problem + ", at byte " + (at - start) + " of the datum");
  }
}
