package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.DataKind;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;

/** The class of a reader in the making, and the data that it serves. Used by one thread. */
record ReaderClass(ClassBody body, GenericData data, boolean plain, TextClasses texts) {
  /** What a method of a value takes and returns: an object to reuse, the decoder; the value. */
  static final String VALUE = "(Ljava/lang/Object;Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";

  /** What operations on whole arrays and fixed take and return. */
  static final String OPERATION =
      "(Ljava/lang/Object;Lorg/apache/avro/generic/GenericData;Lorg/apache/avro/Schema;"
          + "Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";

  /** Begins the class of some data. */
  static ReaderClass of(GenericData data, ClassVisitor out) {
    return new ReaderClass(
        new ClassBody("GeneratedReader", ObjectReader.class, out),
        data,
        DataKind.of(data) == DataKind.PLAIN,
        TextClasses.of(data));
  }

  /** Returns whether maps are the {@code HashMap}s that Avro's own data classes make. */
  boolean ownMaps() {
    return data.getClass() == GenericData.class || data.getClass() == SpecificData.class;
  }

  /** The class that Avro generated for a schema, if there is one. */
  @Nullable Class<?> classOf(Schema schema) {
    return data instanceof SpecificData specific ? specific.getClass(schema) : null;
  }
}
