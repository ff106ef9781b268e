package io.tidemark.avro.object.read;

import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;

/**
 * The classes as which strings are read. The property {@code avro.java.string} of a schema selects
 * the class; for specific data also {@code java-class}, if that class is trusted. Avro's own
 * readers decide. Safe for use by many threads.
 */
interface TextClasses {

  /**
   * Returns {@code CharSequence} for Utf8, {@code String}, or a class that is constructed from a
   * string.
   */
  Class<?> classOf(Schema schema);

  /** Creates an object of a class that {@link #classOf} has returned. */
  Object make(Class<?> type, String text);

  /** Returns the classes by the rules of the reader of the given data. */
  static TextClasses of(GenericData data) {
    return data instanceof SpecificData specific ? new Specific(specific) : new Generic(data);
  }

  /** The rules of Avro's generic reader. */
  final class Generic extends GenericDatumReader<Object> implements TextClasses {
    Generic(GenericData data) {
      super(data);
    }

    @Override
    public Class<?> classOf(Schema schema) {
      return findStringClass(schema);
    }

    @Override
    public Object make(Class<?> type, String text) {
      return newInstanceFromString(type, text);
    }
  }

  /** The rules of Avro's specific reader. */
  final class Specific extends SpecificDatumReader<Object> implements TextClasses {
    Specific(SpecificData data) {
      super(data);
    }

    @Override
    public Class<?> classOf(Schema schema) {
      return findStringClass(schema);
    }

    @Override
    public Object make(Class<?> type, String text) {
      return newInstanceFromString(type, text);
    }
  }
}
