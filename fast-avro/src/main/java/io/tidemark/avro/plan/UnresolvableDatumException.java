package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * A good datum of the writer's schema that the table's cannot hold: it has taken a branch or a
 * symbol that the table lacks, has a number that the table would round, or would grow beyond
 * measure.
 *
 * <p>Example: {@code byte 17, field "side": enum Side holds PEG, which the table's enum lacks}
 */
public final class UnresolvableDatumException extends MalformedDatumException {
  private static final long serialVersionUID = 1L;

  UnresolvableDatumException(long byteOffset, String fieldPath, String problem) {
    super(byteOffset, fieldPath, problem);
  }

  @Override
  public UnresolvableDatumException inField(String path) {
    var placed = new UnresolvableDatumException(byteOffset(), path, problem());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
