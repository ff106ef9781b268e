package io.tidemark.avro.object.write;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** The superclass of generated writers. Safe for use by many threads: it has no state. */
public abstract class ObjectWriter {

  /**
   * Writes an object as a datum. An object that does not fit the schema usually causes a {@code
   * ClassCastException} or a {@code NullPointerException}.
   */
  public abstract void write(@Nullable Object datum, Encoder out) throws IOException;
}
