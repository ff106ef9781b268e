package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.DataKind;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;

/**
 * The class of a reader while it is generated, and the data that it serves. Used by one thread.
 *
 * @param body the class
 * @param data creates the objects that the class reads
 * @param plain whether {@code data} behaves as Avro's own class: see {@link DataKind#PLAIN}
 * @param fast whether Avro's reader for {@code data} is its fast reader. It creates other classes
 *     of arrays, maps of another order, and reuses less
 * @param wide whether the code of fields is in tables, because there are many: see {@link
 *     FieldTable}
 * @param texts the classes of strings
 */
record ReaderClass(
    ClassBody body,
    GenericData data,
    boolean plain,
    boolean fast,
    boolean wide,
    TextClasses texts) {
  /** The descriptor of a method that reads a value: from an object to reuse and the decoder. */
  static final String VALUE = "(Ljava/lang/Object;Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";

  /** The descriptor of operations that read a whole array or a fixed. */
  static final String OPERATION =
      "(Ljava/lang/Object;Lorg/apache/avro/generic/GenericData;Lorg/apache/avro/Schema;"
          + "Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";

  /** Begins a class for the given data and the action that reads a datum. */
  static ReaderClass of(GenericData data, Action root, ClassVisitor out) {
    TextClasses texts = TextClasses.of(data);
    return new ReaderClass(
        new ClassBody("GeneratedReader", ObjectReader.class, out),
        data,
        DataKind.of(data) == DataKind.PLAIN,
        data.isFastReaderEnabled(),
        FieldTable.isWide(root, new Shapes(texts)),
        texts);
  }

  /** Returns whether maps are the {@code HashMap}s that Avro's own data classes create. */
  boolean ownMaps() {
    return data.getClass() == GenericData.class || data.getClass() == SpecificData.class;
  }

  /** Returns the class that Avro generated for a schema, or null if there is none. */
  @Nullable Class<?> classOf(Schema schema) {
    return data instanceof SpecificData specific ? specific.getClass(schema) : null;
  }
}
