package io.tidemark.avro.object.code;

import java.lang.reflect.Method;
import java.util.Set;
import org.apache.avro.generic.GenericData;
import org.apache.avro.reflect.ReflectData;
import org.apache.avro.specific.SpecificData;

/** The assumptions that generated code may make about a {@code GenericData}. */
public enum DataKind {
  /**
   * Behaves like Avro's own {@code GenericData} or {@code SpecificData}. Generated code need not
   * call its methods.
   */
  PLAIN,
  /** A subclass of {@code GenericData} with overridden methods, which generated code calls. */
  OPEN,
  /** Has overrides that generated code does not call. Avro's own readers and writers are used. */
  AVROS;

  /**
   * Methods that generated code does not call: protected ones, and public ones that it bypasses.
   */
  private static final Set<String> HIDDEN =
      Set.of(
          "getRecordState",
          "isEnum",
          "isStringable",
          "createDatumReader",
          "createDatumWriter",
          "useCustomCoders");

  /** Methods that generated code replaces by code of its own, equal to that of Avro's classes. */
  private static final Set<String> INLINED =
      Set.of(
          "newRecord",
          "getNewRecordSupplier",
          "getField",
          "setField",
          "createFixed",
          "resolveUnion",
          "getSchemaName",
          "getPrimitiveTypeCache",
          "isRecord",
          "getRecordSchema",
          "getEnumSchema",
          "getFixedSchema",
          "isArray",
          "isMap",
          "isFixed",
          "isString",
          "isBytes",
          "isInteger",
          "isLong",
          "isFloat",
          "isDouble",
          "isBoolean");

  /** Returns the assumptions for the given data. */
  public static DataKind of(GenericData data) {
    if (data instanceof ReflectData
        || (data instanceof SpecificData specific && specific.useCustomCoders())) {
      return AVROS;
    }
    DataKind kind = PLAIN;
    for (Class<?> type = data.getClass();
        type != GenericData.class && type != SpecificData.class;
        type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        boolean withState =
            (method.getName().equals("getField") && method.getParameterCount() == 4)
                || (method.getName().equals("setField") && method.getParameterCount() == 5);
        if (withState || HIDDEN.contains(method.getName())) {
          return AVROS;
        }
        if (INLINED.contains(method.getName())) {
          kind = data instanceof SpecificData ? AVROS : OPEN;
        }
      }
    }
    return kind;
  }
}
