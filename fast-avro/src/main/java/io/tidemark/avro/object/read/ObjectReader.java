package io.tidemark.avro.object.read;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/** What a generated class of a reader does. Safe for use by several threads: it holds no state. */
public abstract class ObjectReader {

  /** Reads a datum of the writer's schema as an object of the reader's, reusing another's parts. */
  public abstract @Nullable Object read(@Nullable Object old, Decoder in) throws IOException;
}
