package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Runs any plan, step by step, at once.
 *
 * <p>It accepts exactly the encodings that Avro's specification allows, and is stricter than Avro's
 * library, which ignores surplus bits of a varint, any boolean byte but 1, and the byte size of a
 * block. It does not look into text: bytes that are not UTF-8 pass, as they pass Avro's library.
 * Two bounds keep a few bytes from becoming much work for a reader: the nesting of arrays, maps and
 * recursive records, and 1,048,576 items that take no bytes (as an array of nulls).
 *
 * <p>A datum that is rewritten may become 16 MiB longer, and is refused beyond. Its bytes are made
 * in an array of the interpreter's own.
 *
 * <p>Not safe for use by several threads; a good datum costs no allocation.
 */
public final class PlanInterpreter implements PlanRunner, BatchRunner {
  /**
   * How deep arrays, maps and recursive records may be nested, unless told otherwise: 256. Avro's
   * own reader, on which every user of the table depends, fails in a thread's usual stack of 1 MiB
   * at about 590.
   */
  public static final int DEFAULT_MAX_DEPTH = 256;

  private final int fields;
  private final boolean copies;
  private final TableDatum datum = new TableDatum();
  private final Walker walker;

  /** Makes the interpreter of a plan. */
  public PlanInterpreter(Plan plan) {
    this(plan, DEFAULT_MAX_DEPTH);
  }

  /**
   * Makes the interpreter of a plan.
   *
   * @param maxDepth how deep arrays, maps and recursive records may be nested, from 1
   */
  public PlanInterpreter(Plan plan, int maxDepth) {
    if (maxDepth < 1) {
      throw new IllegalArgumentException("maxDepth must be at least 1, not " + maxDepth);
    }
    fields = plan.fieldPaths().size();
    copies = plan.copies();
    walker = new Walker(Program.of(plan), maxDepth);
  }

  @Override
  public void run(byte[] source, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    result.begin(source, offset, length, fields);
    if (copies) {
      walker.walk(source, offset, length, result);
    } else {
      walker.rewrite(source, offset, length, result);
    }
  }

  /**
   * Checks the datum with which the given bytes begin, as the next of those that stand one behind
   * the other in a block of a file.
   *
   * @param result where to tell the datum, which takes {@link TableDatum#length} bytes, and its
   *     fields
   * @throws MalformedDatumException if the bytes do not begin with a datum of the writer's schema
   * @throws IllegalStateException if the plan rewrites
   */
  public void runFirst(byte[] source, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    if (!copies) {
      throw new IllegalStateException(
          "The plan rewrites. Plan with the writer's schema for both to find where datums end.");
    }
    result.begin(source, offset, length, fields);
    result.endAt(walker.walkFirst(source, offset, length, result));
  }

  @Override
  public void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException {
    target.beginRun(fields);
    append(source, from, to, target);
  }

  /** Runs like {@link #run(SourceDatums, int, int, TableDatums)}, but goes on with the same run. */
  public void append(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException {
    for (int i = from; i < to; i++) {
      run(source.bytes(i), source.offset(i), source.length(i), datum);
      target.append(datum);
    }
  }
}
