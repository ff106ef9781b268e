package io.tidemark.avro.binary;

/**
 * Bytes that are not a datum of the schema they were given with: what stands at which byte, in
 * which field.
 *
 * <p>Example: {@code byte 17, field "quote.venue": union index 7, but the union has 2 branches}
 */
public class MalformedDatumException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long byteOffset;
  private final String fieldPath;
  private final String problem;

  /**
   * Makes the exception.
   *
   * @param byteOffset where the fault stands, counted from the datum's first byte
   * @param fieldPath dotted path of the field, such as {@code a.b[].c}; empty at the root
   * @param problem what is wrong there
   */
  public MalformedDatumException(long byteOffset, String fieldPath, String problem) {
    super(place(byteOffset, fieldPath) + ": " + problem);
    this.byteOffset = byteOffset;
    this.fieldPath = fieldPath;
    this.problem = problem;
  }

  /** Where the fault stands, counted from the datum's first byte. */
  public long byteOffset() {
    return byteOffset;
  }

  /**
   * The dotted path of the field, empty at the root. An array's items are {@code []}, a map's keys
   * and values {@code {}}: {@code legs[].fees{}.amount}.
   */
  public String fieldPath() {
    return fieldPath;
  }

  /** What is wrong there. */
  protected String problem() {
    return problem;
  }

  /**
   * The same fault with the path of its field, which the reader of a single value does not know.
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
