package io.tidemark.avro.object.read;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/** The superclass of generated readers. Safe for use by many threads: it has no state. */
public abstract class ObjectReader {

  /**
   * Reads a datum of the writer schema as an object of the reader schema.
   *
   * @param old an object whose parts may be reused, or null
   */
  public abstract @Nullable Object read(@Nullable Object old, Decoder in) throws IOException;
}
