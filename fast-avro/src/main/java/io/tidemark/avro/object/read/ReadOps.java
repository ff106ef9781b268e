package io.tidemark.avro.object.read;

import io.tidemark.avro.binary.SliceDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericArray;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.generic.PrimitivesArrays;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that generated readers call. Each behaves like the same step of Avro's {@code
 * GenericDatumReader}.
 */
final class ReadOps {
  /**
   * The maximum number of entries for which {@link #capacity} computes a capacity: twice that table
   * size is still a valid array length.
   */
  private static final int MOST_ENTRIES = 1 << 28;

  /** The number of entries that a {@code HashMap} of the default size takes. */
  private static final int DEFAULT_ENTRIES = 12;

  private ReadOps() {}

  static @Nullable Utf8 utf8(@Nullable Object old) {
    return old instanceof Utf8 text ? text : null;
  }

  static @Nullable ByteBuffer buffer(@Nullable Object old) {
    return old instanceof ByteBuffer buffer ? buffer : null;
  }

  static Utf8 textOfBytes(Decoder in) throws IOException {
    return new Utf8(in.readBytes(null).array());
  }

  static String stringOfBytes(Decoder in) throws IOException {
    return textOfBytes(in).toString();
  }

  static ByteBuffer bytesOfText(Decoder in) throws IOException {
    Utf8 text = in.readString(null);
    return ByteBuffer.wrap(text.getBytes(), 0, text.getByteLength());
  }

  /**
   * Returns the record to fill: the old one if it has this same {@code Schema} object, else a new
   * one.
   */
  @SuppressWarnings("ReferenceEquality") // Avro compares references, too.
  static IndexedRecord record(@Nullable Object old, Schema schema) {
    return old instanceof IndexedRecord record && record.getSchema() == schema
        ? record
        : new GenericData.Record(schema);
  }

  /** Returns the present value of a record's field if the record is reused, else null. */
  static @Nullable Object old(IndexedRecord record, boolean reuse, int position) {
    return reuse ? record.get(position) : null;
  }

  static GenericFixed fixed(@Nullable Object old, Schema schema, Decoder in) throws IOException {
    int size = schema.getFixedSize();
    GenericFixed fixed =
        old instanceof GenericFixed known && known.bytes().length == size
            ? known
            : new GenericData.Fixed(schema);
    in.readFixed(fixed.bytes(), 0, size);
    return fixed;
  }

  static Object fixed(@Nullable Object old, GenericData data, Schema schema, Decoder in)
      throws IOException {
    var fixed = (GenericFixed) data.createFixed(old, schema);
    in.readFixed(fixed.bytes(), 0, schema.getFixedSize());
    return fixed;
  }

  static Object symbol(Symbols symbols, Decoder in) throws IOException {
    return symbols.get(in.readEnum());
  }

  /** Throws an {@link AvroTypeException}, always. */
  @SuppressWarnings("DoNotCallSuggester") // Generated code calls this method.
  static Object refuse(String problem) {
    throw new AvroTypeException(problem);
  }

  /** Returns the exception for the index of a branch that the writer's union does not have. */
  static AvroTypeException noBranch(int branches) {
    return new AvroTypeException(
        "union index is out of range: the writer's union has " + branches + " branches");
  }

  /** Returns an exception that adds the name of the field to another exception, in Avro's words. */
  static AvroTypeException mismatch(AvroTypeException cause, int field, String[] names) {
    return new AvroTypeException(
        "Field \"" + names[field] + "\" content mismatch: " + cause.getMessage(), cause.getCause());
  }

  /**
   * Returns the initial capacity at which a {@code HashMap} takes the given number of entries
   * without a rehash. Avro's reader passes the number itself, and the map is rehashed to the same
   * table size. So both maps have the same order of entries.
   */
  static int capacity(int size) {
    if (size < 2 || size > MOST_ENTRIES) {
      return size;
    }
    int table = Integer.highestOneBit(size - 1) << 1;
    return size <= table - table / 4 ? size : table * 2;
  }

  static Decoder decoder(byte[] encoded) {
    return new SliceDecoder(encoded, 0, encoded.length);
  }

  /** Returns the next item to reuse, if the array keeps its former items, else null. */
  static @Nullable Object peek(Object array) {
    return array instanceof GenericArray<?> kept ? kept.peek() : null;
  }

  static Object prune(Object array) {
    if (array instanceof GenericArray<?> kept) {
      kept.prune();
    }
    return array;
  }

  /**
   * Returns the array to fill: of {@code data}, or without it the array of Avro's fast reader,
   * which has boxed items.
   */
  static Object array(@Nullable Object old, @Nullable GenericData data, long count, Schema schema) {
    if (data != null) {
      return data.newArray(old, (int) count, schema);
    }
    if (old instanceof List<?> list) {
      list.clear();
      return list;
    }
    return new GenericData.Array<>((int) count, schema);
  }

  static Object emptyArray(@Nullable Object old, GenericData data, Schema schema) {
    return data.newArray(old, 0, schema);
  }

  static Object emptyMap(@Nullable Object old, GenericData data, Schema schema) {
    return data.newMap(old, 0);
  }

  /**
   * Returns a map with the order of entries of Avro's fast reader: that of a {@code HashMap} of the
   * default size, which has grown.
   */
  static Map<Object, Object> newMap(long count) {
    return count < 1 || count > MOST_ENTRIES
        ? new HashMap<>()
        : new HashMap<>(capacity((int) Math.max(count, DEFAULT_ENTRIES)));
  }

  static Object ints(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      if (array instanceof PrimitivesArrays.IntArray ints) {
        for (long i = 0; i < count; i++) {
          ints.add(ints.size(), in.readInt());
        }
      } else {
        for (long i = 0; i < count; i++) {
          items(array).add(in.readInt());
        }
      }
    }
    return prune(array);
  }

  static Object longs(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      if (array instanceof PrimitivesArrays.LongArray longs) {
        for (long i = 0; i < count; i++) {
          longs.add(longs.size(), in.readLong());
        }
      } else {
        for (long i = 0; i < count; i++) {
          items(array).add(in.readLong());
        }
      }
    }
    return prune(array);
  }

  static Object floats(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      if (array instanceof PrimitivesArrays.FloatArray floats) {
        for (long i = 0; i < count; i++) {
          floats.add(floats.size(), in.readFloat());
        }
      } else {
        for (long i = 0; i < count; i++) {
          items(array).add(in.readFloat());
        }
      }
    }
    return prune(array);
  }

  static Object doubles(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      if (array instanceof PrimitivesArrays.DoubleArray doubles) {
        for (long i = 0; i < count; i++) {
          doubles.add(doubles.size(), in.readDouble());
        }
      } else {
        for (long i = 0; i < count; i++) {
          items(array).add(in.readDouble());
        }
      }
    }
    return prune(array);
  }

  static Object booleans(
      @Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      if (array instanceof PrimitivesArrays.BooleanArray booleans) {
        for (long i = 0; i < count; i++) {
          booleans.add(in.readBoolean());
        }
      } else {
        for (long i = 0; i < count; i++) {
          items(array).add(in.readBoolean());
        }
      }
    }
    return prune(array);
  }

  static Object texts(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      for (long i = 0; i < count; i++) {
        items(array).add(in.readString(utf8(peek(array))));
      }
    }
    return prune(array);
  }

  static Object strings(@Nullable Object old, @Nullable GenericData data, Schema schema, Decoder in)
      throws IOException {
    long count = in.readArrayStart();
    Object array = array(old, data, count, schema);
    for (; count > 0; count = in.arrayNext()) {
      for (long i = 0; i < count; i++) {
        items(array).add(in.readString());
      }
    }
    return prune(array);
  }

  @SuppressWarnings("unchecked") // Collections that GenericData creates for arrays accept any item.
  private static Collection<Object> items(Object array) {
    return (Collection<Object>) array;
  }
}
