/**
 * Readers and writers of objects with Avro's own interfaces, compiled to hidden classes.
 *
 * <p>{@link FastDatumReader} and {@link FastDatumWriter} take the place of {@link
 * org.apache.avro.generic.GenericDatumReader}, {@link org.apache.avro.specific.SpecificDatumReader}
 * and the writers of these. Avro's own code reads and writes until the class of a schema is made,
 * and for good if there can be none. {@link CompiledDatums} makes the classes in the background and
 * keeps them.
 *
 * <p>An example: the writer has {@code Quote(string symbol, int size)}, and the reader has {@code
 * Quote(long size, union {null, string} venue = null)}. The generated class, as Java:
 *
 * <pre>{@code
 * final class GeneratedReader extends ObjectReader {
 *   Object read(Object old, Decoder in) {
 *     return record0(old, in);
 *   }
 *
 *   private static Object record0(Object old, Decoder in) {
 *     IndexedRecord record = ReadOps.record(old, QUOTE);
 *     fields1(record, old != null, in);
 *     return record;
 *   }
 *
 *   private static void fields1(IndexedRecord record, boolean reuse, Decoder in) {
 *     in.skipString();                              // symbol, which the reader lacks
 *     record.put(0, Long.valueOf(in.readInt()));    // size
 *     record.put(1, null);                          // venue, by its default
 *   }
 * }
 * }</pre>
 *
 * <p>Records have a method for every dozen fields, so that each stays below the sizes up to which
 * the JIT compiles and inlines. Schemas, symbols and conversions are constants of the class.
 */
@NullMarked
package io.tidemark.avro.object;

import org.jspecify.annotations.NullMarked;
