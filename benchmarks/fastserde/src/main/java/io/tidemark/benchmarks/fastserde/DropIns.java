package io.tidemark.benchmarks.fastserde;

import com.rtbhouse.utils.avro.FastGenericDatumReader;
import com.rtbhouse.utils.avro.FastGenericDatumWriter;
import com.rtbhouse.utils.avro.FastSerdeCache;
import com.rtbhouse.utils.avro.FastSpecificDatumReader;
import com.rtbhouse.utils.avro.FastSpecificDatumWriter;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;

/**
 * avro-fastserde as its users call it: by replacements of Avro's readers and writers. Its classes
 * are generated and compiled before the first datum.
 */
public final class DropIns {
  private DropIns() {}

  /** Returns a reader of generic or specific records. */
  public static DatumReader<Object> reader(Schema schema, boolean specific) {
    FastSerdeCache cache = cache();
    // The first request compiles the class in this thread; the second one returns it.
    for (int i = 0; i < 2; i++) {
      Object code =
          specific
              ? cache.getFastSpecificDeserializer(schema, schema)
              : cache.getFastGenericDeserializer(schema, schema);
      requireGenerated(code, i);
    }
    return specific
        ? new FastSpecificDatumReader<>(schema, schema, cache)
        : new FastGenericDatumReader<>(schema, schema, cache);
  }

  /** Returns a writer of generic or specific records. */
  public static DatumWriter<Object> writer(Schema schema, boolean specific) {
    FastSerdeCache cache = cache();
    for (int i = 0; i < 2; i++) {
      Object code =
          specific
              ? cache.getFastSpecificSerializer(schema)
              : cache.getFastGenericSerializer(schema);
      requireGenerated(code, i);
    }
    return specific
        ? new FastSpecificDatumWriter<>(schema, cache)
        : new FastGenericDatumWriter<>(schema, cache);
  }

  private static FastSerdeCache cache() {
    return new FastSerdeCache(Runnable::run, System.getProperty("java.class.path"));
  }

  /**
   * Fails if no class was generated: fastserde then returns a lambda over Avro's reader or writer.
   */
  private static void requireGenerated(Object code, int asked) {
    if (asked > 0 && !code.getClass().getName().contains(".generated.")) {
      throw new UnsupportedOperationException(
          "fastserde falls back on Avro: it could not generate " + code.getClass());
    }
  }
}
