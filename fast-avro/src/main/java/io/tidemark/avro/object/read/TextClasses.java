package io.tidemark.avro.object.read;

import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;

/**
 * The class that a string of a schema is read as: by {@code avro.java.string}, and for specific
 * data by {@code java-class} if the class is trusted. Avro's readers say which. Safe for use by
 * many threads.
 */
interface TextClasses {

  /** {@code CharSequence} for Utf8, {@code String}, or a class that is made from a string. */
  Class<?> classOf(Schema schema);

  /** Makes an object of such a class. */
  Object make(Class<?> type, String text);

  /** Those that the reader of some data knows. */
  static TextClasses of(GenericData data) {
    return data instanceof SpecificData specific ? new Specific(specific) : new Generic(data);
  }

  /** What Avro's generic reader says. */
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

  /** What Avro's specific reader says. */
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
