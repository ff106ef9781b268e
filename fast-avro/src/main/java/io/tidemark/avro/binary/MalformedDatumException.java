package io.tidemark.avro.binary;

/**
 * Thrown if bytes are not a datum of the given schema. It has the byte offset, the field and the
 * problem.
 *
 * <p>Example: {@code byte 17, field "quote.venue": union index 7, but the union has 2 branches}
 */
public class MalformedDatumException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long byteOffset;
  private final String fieldPath;
  private final String problem;

  /**
   * Creates the exception.
   *
   * @param byteOffset the offset of the error, counted from the datum's first byte
   * @param fieldPath dotted path of the field, such as {@code a.b[].c}; empty at the root
   * @param problem what is wrong there
   */
  public MalformedDatumException(long byteOffset, String fieldPath, String problem) {
    super(place(byteOffset, fieldPath) + ": " + problem);
    this.byteOffset = byteOffset;
    this.fieldPath = fieldPath;
    this.problem = problem;
  }

  /** Returns the offset of the error, counted from the datum's first byte. */
  public long byteOffset() {
    return byteOffset;
  }

  /**
   * Returns the dotted path of the field, empty at the root. An array's items are {@code []}, a
   * map's keys and values {@code {}}: {@code legs[].fees{}.amount}. Of more than 2,000 characters,
   * only the end, after an ellipsis.
   */
  public String fieldPath() {
    return fieldPath;
  }

  /** Returns what is wrong, without the place. */
  protected String problem() {
    return problem;
  }

  /**
   * Returns the same error with the path of its field. The code that reads one value does not know
   * the path, so a caller adds it.
   */
  public MalformedDatumException inField(String path) {
    var placed = new MalformedDatumException(byteOffset, path, problem);
    placed.setStackTrace(getStackTrace());
    return placed;
  }

  private static String place(long byteOffset, String fieldPath) {
    return fieldPath.isEmpty()
        ? "byte " + byteOffset
        : "byte " + byteOffset + ", field \"" + fieldPath + '"';
  }
}
