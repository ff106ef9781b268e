package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.DataKind;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

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
 * @param table where the arguments of fields are, while the code of a table is written
 */
record ReaderClass(
    ClassBody body,
    GenericData data,
    boolean plain,
    boolean fast,
    boolean wide,
    TextClasses texts,
    Arguments table) {

  /** What differs in the code of a field while a table's loop is written. */
  static final class Arguments {
    private boolean inTable;
    private boolean ofNewRecord;
    private int arguments;
    private int index;

    /**
     * Writes the code of a case.
     *
     * @param argumentsVariable the local variable with the arguments of the record's fields
     * @param indexVariable the local variable with the index of the field's argument
     * @param newRecord whether the record is new, so that its fields have no old values
     */
    void in(int argumentsVariable, int indexVariable, boolean newRecord, Runnable write) {
      arguments = argumentsVariable;
      index = indexVariable;
      ofNewRecord = newRecord;
      inTable = true;
      write.run();
      inTable = false;
    }

    /** Returns whether the code is for a new record only. */
    boolean isOfNewRecord() {
      return inTable && ofNewRecord;
    }
  }

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
        texts,
        new Arguments());
  }

  /**
   * Writes code that pushes an object which differs from field to field: a constant, or the
   * argument of the present field of a table.
   */
  void argument(MethodVisitor code, Object value, Class<?> type) {
    if (!table.inTable) {
      body.constant(code, value, type);
      return;
    }
    code.visitVarInsn(Opcodes.ALOAD, table.arguments);
    code.visitVarInsn(Opcodes.ILOAD, table.index);
    code.visitInsn(Opcodes.AALOAD);
    ClassBody.cast(code, type);
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
