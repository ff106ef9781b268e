package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Thrown if a valid datum of the writer schema cannot be converted to the reader schema. The datum
 * uses a branch or symbol that the reader lacks, has a number that would be rounded or has too many
 * digits, or would become {@linkplain TableDatums#maxGrowth too long}.
 *
 * <p>The datum is not malformed. This class is a subclass of {@link MalformedDatumException} so
 * that one {@code catch} finds all datums that a plan rejects.
 *
 * <p>Example: {@code byte 17, field "side": enum symbol PEG is missing in the reader's enum}
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
