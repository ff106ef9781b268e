package io.tidemark.avro.object.write;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** What a generated class of a writer does. Safe for use by several threads: it holds no state. */
public abstract class ObjectWriter {

  /** Writes an object as a datum; an object that does not fit fails by whatever cast it met. */
  public abstract void write(@Nullable Object datum, Encoder out) throws IOException;
}
