package io.tidemark.avro.object;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** What a generated class of a writer does. Safe for use by several threads: it holds no state. */
abstract class ObjectWriter {

  /** Writes an object as a datum; an object that does not fit fails by whatever cast it met. */
  abstract void write(@Nullable Object datum, Encoder out) throws IOException;
}
