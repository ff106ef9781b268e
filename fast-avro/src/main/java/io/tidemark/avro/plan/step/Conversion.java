package io.tidemark.avro.plan.step;

import java.util.Optional;

/**
 * The conversion of one encoded value, such as an enum's symbol to its text. Immutable, safe for
 * use by many threads, and equal to another one with the same id.
 */
public abstract class Conversion {
  /** The result of {@link #convert} for a value that has no result. */
  public static final int REFUSED = -1;

  private final String name;
  private final String id;

  /**
   * @param name the conversion with its parameters, for people
   */
  protected Conversion(String name) {
    this(name, name);
  }

  /**
   * @param name the conversion with its parameters, for people
   * @param id the conversion with all its parameters; a hash of those that are secret
   */
  protected Conversion(String name, String id) {
    this.name = name;
    this.id = id;
  }

  /** Returns the conversion with all its parameters. It is not printed. */
  public final String id() {
    return id;
  }

  /** Returns the maximum size of the result for a valid encoded value, in bytes. */
  public abstract int maxBytes(byte[] source, int from, int to);

  /**
   * Writes the result for a valid encoded value.
   *
   * @param from the first byte of the value
   * @param to the end of the value
   * @param target has at least {@link #maxBytes} bytes at {@code at}
   * @return the end of the result, or {@link #REFUSED}
   */
  public abstract int convert(byte[] source, int from, int to, byte[] target, int at);

  /** Returns why some values of the writer's type are refused, if that is known without a value. */
  public Optional<String> refusal() {
    return Optional.empty();
  }

  /** Returns why a value is refused. */
  public abstract String problem(byte[] source, int from, int to);

  @Override
  public final boolean equals(Object other) {
    return other instanceof Conversion conversion && conversion.id.equals(id);
  }

  @Override
  public final int hashCode() {
    return id.hashCode();
  }

  @Override
  public final String toString() {
    return name;
  }
}
