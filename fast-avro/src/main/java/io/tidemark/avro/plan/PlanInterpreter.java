package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Runs a plan by interpretation, without generating a class first.
 *
 * <p>It accepts text that is not valid UTF-8, as Avro's library does. Avro's specification does not
 * allow such text.
 *
 * <p>It is stricter than Avro's library, and accepts only datums that the library can read. It
 * rejects
 *
 * <ul>
 *   <li>a varint with more bits than its type has: the library ignores the additional bits;
 *   <li>a boolean byte other than 0 and 1, which the library reads as false;
 *   <li>a block of an array or a map with a wrong byte size, which the library does not check;
 *   <li>bytes after the datum, which the library does not check;
 *   <li>an error in a field that the reader schema lacks, which the library checks only partly;
 *   <li>a whole number that the reader's float or double would round, as the library does;
 *   <li>a record whose name is not in the reader's union: the library chooses the first branch with
 *       such fields;
 *   <li>an array or map in a branch of a union whose items cannot be converted, even an empty one,
 *       which the library reads.
 * </ul>
 *
 * <p>Two limits protect readers against small datums that cause much work: the nesting of arrays,
 * maps and recursive records (default {@value #DEFAULT_MAX_DEPTH}), and 1,048,576 items of zero
 * bytes, such as nulls in an array.
 *
 * <p>A converted datum is written to an internal buffer. If it would be longer than the source by
 * more than {@link TableDatums#maxGrowth}, an {@link UnresolvableDatumException} is thrown.
 *
 * <p>Not thread-safe. Valid datums cause no allocation.
 */
public final class PlanInterpreter implements PlanRunner, BatchRunner {
  /**
   * The default maximum nesting of arrays, maps and recursive records. Avro's own reader overflows
   * a thread's usual stack of 1 MiB at about 590 levels.
   */
  public static final int DEFAULT_MAX_DEPTH = 256;

  private final int fields;
  private final boolean copies;
  private final TableDatum datum = new TableDatum();
  private final Walker walker;

  /** Creates the interpreter of a plan. */
  public PlanInterpreter(Plan plan) {
    this(plan, DEFAULT_MAX_DEPTH);
  }

  /**
   * Creates the interpreter of a plan.
   *
   * @param maxDepth the maximum nesting of arrays, maps and recursive records, from 1
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
   * Validates the first datum in the given bytes, and finds its end. Bytes after it are ignored, so
   * datums that follow each other, as in a block of a file, can be read one by one.
   *
   * @param result receives the datum with its {@link TableDatum#length}, and its fields
   * @throws MalformedDatumException if the bytes do not begin with a datum of the writer's schema
   * @throws IllegalStateException if the plan converts datums
   */
  public void runFirst(byte[] source, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    if (!copies) {
      throw new IllegalStateException(
          "The plan converts datums. To find their ends, make the plan with the writer schema as"
              + " the reader schema, too.");
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

  /**
   * Does the same as {@link #run(SourceDatums, int, int, TableDatums)}, but keeps the results of
   * the previous call: {@link TableDatums#runSize} then counts the results of both.
   */
  public void append(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException {
    for (int i = from; i < to; i++) {
      run(source.bytes(i), source.offset(i), source.length(i), datum);
      target.append(datum);
    }
  }
}
