package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;
import org.jspecify.annotations.Nullable;

/**
 * Runs any plan, step by step, at once.
 *
 * <p>It accepts exactly the encodings that Avro's specification allows, and is stricter than Avro's
 * library, which ignores surplus bits of a varint, any boolean byte but 1, and the byte size of a
 * block. It does not look into text: bytes that are not UTF-8 pass, as they pass Avro's library.
 * Two bounds keep a few bytes from becoming much work for a reader: the nesting of arrays, maps and
 * recursive records, and 1,048,576 items that take no bytes (as an array of nulls).
 *
 * <p>Not safe for use by several threads; a good datum that is copied costs no allocation.
 */
public final class PlanInterpreter implements PlanRunner {
  /**
   * How deep arrays, maps and recursive records may be nested, unless told otherwise: 256. Avro's
   * own reader, on which every user of the table depends, fails in a thread's usual stack of 1 MiB
   * at about 590.
   */
  public static final int DEFAULT_MAX_DEPTH = 256;

  private final int fields;
  private final Walker walker;
  private final @Nullable Rewriting rewriting;

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
    if (plan.root() instanceof PlanStep.Rewrite rewrite) {
      walker = new Walker(Program.of(rewrite.source()), maxDepth);
      rewriting =
          new Rewriting(
              new AvroRewriter(plan.writerSchema(), plan.tableSchema()),
              new Walker(Program.of(rewrite.table()), maxDepth));
    } else {
      walker = new Walker(Program.of(plan.root()), maxDepth);
      rewriting = null;
    }
  }

  private record Rewriting(AvroRewriter rewriter, Walker table) {}

  @Override
  public void run(byte[] source, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    result.begin(source, offset, length, fields);
    walker.walk(source, offset, length, result);
    if (rewriting != null) {
      AvroRewriter rewriter = rewriting.rewriter;
      rewriter.rewrite(source, offset, length);
      result.begin(rewriter.bytes(), 0, rewriter.length(), fields);
      rewriting.table.walk(rewriter.bytes(), 0, rewriter.length(), result);
    }
  }
}
