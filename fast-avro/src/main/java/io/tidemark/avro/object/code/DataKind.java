package io.tidemark.avro.object.code;

import java.lang.reflect.Method;
import java.util.Set;
import org.apache.avro.generic.GenericData;
import org.apache.avro.reflect.ReflectData;
import org.apache.avro.specific.SpecificData;

/** What generated code may assume of a {@code GenericData}. */
public enum DataKind {
  /** As Avro's own {@code GenericData} or {@code SpecificData}: what it does is known. */
  PLAIN,
  /** A generic one with other ways to make or to look at objects: its methods are called. */
  OPEN,
  /** One that only Avro's own readers and writers can serve. */
  AVROS;

  /** Protected methods that generated code cannot call, and public ones that it goes around. */
  private static final Set<String> HIDDEN =
      Set.of(
          "getRecordState",
          "isEnum",
          "isStringable",
          "createDatumReader",
          "createDatumWriter",
          "useCustomCoders");

  /** Methods that generated code does without, as it knows what Avro's own do. */
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

  /** What may be assumed of these data. */
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
