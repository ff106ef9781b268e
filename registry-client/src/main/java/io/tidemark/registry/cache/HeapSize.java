package io.tidemark.registry.cache;

import org.apache.avro.Schema;

/** Estimates the heap of a parsed schema. */
final class HeapSize {
  /** A member or an element of the JSON text becomes an object, mostly with a map of its own. */
  private static final int PART_BYTES = 80;

  private static final String PARTS = "{[,:";

  private HeapSize() {}

  /** Returns the estimate in bytes. Names and values may take a little more. */
  static long of(Schema schema) {
    String text = schema.toString();
    long parts = text.chars().filter(each -> PARTS.indexOf(each) >= 0).count();
    return 2L * text.length() + PART_BYTES * parts;
  }
}
