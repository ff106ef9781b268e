/**
 * Readers and writers of objects that use code which is generated at run time. They implement
 * Avro's interfaces {@code DatumReader} and {@code DatumWriter}.
 *
 * <p>{@link FastDatumReader} and {@link FastDatumWriter} can replace {@link
 * org.apache.avro.generic.GenericDatumReader}, {@link org.apache.avro.specific.SpecificDatumReader}
 * and their writers. Until the class of a schema is ready, Avro's own code reads and writes. If no
 * class can be generated, Avro's own code always reads and writes. {@link CompiledDatums} generates
 * the classes in the background and keeps them.
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
 * <p>Records have one method for every dozen fields, so that each method is small enough for the
 * JIT compiler to compile and to inline it. Schemas, symbols and conversions are constants of the
 * class.
 */
@NullMarked
package io.tidemark.avro.object;

import org.jspecify.annotations.NullMarked;
