/**
 * Plans that are compiled to hidden classes, in the background while the interpreter runs them.
 *
 * <p>Start with {@link CompiledPlans}. It generates one {@link Kernel} class for each plan. The
 * class skips through eight datums at a time, one <i>lane</i> each, so that the processor overlaps
 * their loads. Skipping checks each value, and <i>notes</i> the positions that are needed later. If
 * the plan converts, a second pass then <i>emits</i> the results, one after the other.
 *
 * <p>An example: the writer has {@code Quote(string symbol, long size)}, and the reader has {@code
 * Quote(long size, string symbol, string venue = "XETR")}. Each datum gets three places for notes.
 * The generated class, as Java:
 *
 * <pre>{@code
 * final class CompiledKernel extends Kernel {
 *   // Eight datums: lanes has their positions, and at is the first datum's first place.
 *   void walkAll(byte[] bytes, int[] lanes, int[] notes, int at) {
 *     all0(bytes, lanes, notes, at);
 *   }
 *
 *   // One datum; returns the position after it.
 *   int walk(byte[] bytes, int position, int[] notes, int at, int depth) {
 *     return one1(bytes, position, notes, at, depth);
 *   }
 *
 *   // The converted datum of one that was walked through.
 *   void emit(byte[] bytes, int at, RewrittenDatum out) {
 *     emit2(bytes, at, out);
 *   }
 *
 *   private static void all0(byte[] bytes, int[] lanes, int[] notes, int at) {
 *     int lane0 = lanes[0];                      // … to lane7
 *     notes[at] = lane0;                         // symbol begins; lane1: notes[at + 3] …
 *     lane0 = SkipOps.skipBytes(bytes, lane0);   // lane1 …
 *     notes[at + 1] = lane0;                     // size begins; lane1: notes[at + 4] …
 *     lane0 = SkipOps.skipLong(bytes, lane0);    // lane1 …
 *     notes[at + 2] = lane0;                     // size ends; lane1: notes[at + 5] …
 *     lanes[0] = lane0;                          // … to lane7
 *   }
 *
 *   private static int one1(byte[] bytes, int position, int[] notes, int at, int depth) {
 *     notes[at] = position;
 *     position = SkipOps.skipBytes(bytes, position);
 *     notes[at + 1] = position;
 *     position = SkipOps.skipLong(bytes, position);
 *     notes[at + 2] = position;
 *     return position;
 *   }
 *
 *   private static void emit2(byte[] bytes, int at, RewrittenDatum out) {
 *     out.copy(bytes, at + 1, at + 2);           // size: the bytes between two noted positions
 *     out.copy(bytes, at + 0, at + 1);           // symbol
 *     out.emitConstant(0);                       // venue: 08 58 45 54 52
 *   }
 * }
 * }</pre>
 *
 * <p>A plan that copies has no {@code emit}; its walks note only the captured fields. Arrays, maps
 * and unions of more than null and a simple type are skipped by methods for one datum, which every
 * lane calls in turn. On a datum that is malformed or contains something rare, the class throws a
 * {@link FallBackException}, leaves the array, or does not end where the datum does. The
 * interpreter then runs that datum and those that were walked through with it.
 *
 * <p>To see a plan's class, set the system property {@code tidemark.codegen.dump} to a directory,
 * and run {@code javap -c -p} on the files there.
 */
@NullMarked
package io.tidemark.avro.codegen;

import org.jspecify.annotations.NullMarked;
