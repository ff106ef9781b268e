/**
 * Plans that are compiled to hidden classes, in the background while the interpreter runs them.
 *
 * <p>Programs use four classes. {@link CompiledPlans} returns a runner of a plan, compiles a plan
 * at once, and loads the compiler in advance. {@link CompilerOptions} are its settings, and {@link
 * CompilerStatistics} its counts. {@link UncompilablePlanException} is thrown if no class can be
 * generated. The other classes are internal. The rest of this text describes the generated code.
 *
 * <p>Each plan gets one class, a subclass of {@code Kernel}. A class processes eight datums side by
 * side, because the processor can then load from several of them at the same time. Each of the
 * eight is in a <i>lane</i>: a local variable with the position that is reached in that datum. The
 * first pass checks every value and finds its end (it <i>skips</i> the value). It stores the
 * positions that are needed later in an int array, the <i>notes</i>. If the plan converts, a second
 * pass writes (<i>emits</i>) the converted datums, one after the other.
 *
 * <p>An example: the writer has {@code Quote(string symbol, long size)}, and the reader has {@code
 * Quote(long size, string symbol, string venue = "XETR")}. Three positions are stored for each
 * datum: where {@code symbol} begins, where {@code size} begins, and where {@code size} ends. The
 * generated class, as Java:
 *
 * <pre>{@code
 * final class CompiledKernel extends Kernel {
 *   // Eight datums. lanes: their positions. at: the index in notes of the first datum's positions.
 *   void walkAll(byte[] bytes, int[] lanes, int[] notes, int at) {
 *     all0(bytes, lanes, notes, at);
 *   }
 *
 *   // One datum; returns the position after it.
 *   int walk(byte[] bytes, int position, int[] notes, int at, int depth) {
 *     return one1(bytes, position, notes, at, depth);
 *   }
 *
 *   // Writes the converted datum, from the positions that the first pass stored.
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
 *     out.copy(bytes, at + 1, at + 2);           // size: the bytes between two stored positions
 *     out.copy(bytes, at + 0, at + 1);           // symbol
 *     out.emitConstant(0);                       // venue: 08 58 45 54 52
 *   }
 * }
 * }</pre>
 *
 * <p>If the plan only copies, the class has no {@code emit}. It then stores only the positions of
 * <i>captured fields</i>: the fields in the third argument of {@link
 * io.tidemark.avro.plan.Planner#plan}. Arrays, maps, and unions other than null with one simple
 * type have methods for one datum. These methods are called for one lane after the other.
 *
 * <p>The generated class does not handle malformed datums and some rare encodings. It detects these
 * datums in one of three ways: it throws a {@code FallBackException}, an index is outside of the
 * array, or the skipping does not end at the datum's end. The interpreter then runs those datums of
 * the group of eight that have no result yet, and reports the error.
 *
 * <p>To see a plan's class, set the system property {@code tidemark.codegen.dump} to a directory,
 * and run {@code javap -c -p} on the files there.
 */
@NullMarked
package io.tidemark.avro.codegen;

import org.jspecify.annotations.NullMarked;
