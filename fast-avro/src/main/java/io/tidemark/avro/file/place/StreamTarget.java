package io.tidemark.avro.file.place;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.avro.file.Syncable;

/** A stream of the caller: the file consists of the bytes that are written to the stream. */
public record StreamTarget(OutputStream stream) implements FileTarget {

  @Override
  public void force() throws IOException {
    if (stream instanceof Syncable syncable) {
      syncable.sync();
    } else if (stream instanceof FileOutputStream file) {
      file.getFD().sync();
    } else {
      throw new UnsupportedOperationException(
          stream.getClass().getName()
              + " cannot be forced to a disk. Write to a path, a FileOutputStream or an"
              + " org.apache.avro.file.Syncable, or sync the stream itself after flush().");
    }
  }

  @Override
  public void complete() throws IOException {
    stream.close();
  }

  @Override
  public void abandon() throws IOException {
    stream.close();
  }
}
