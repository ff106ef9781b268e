package io.tidemark.avro.file.read;

import java.io.IOException;
import java.util.Iterator;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.FileReader;
import org.apache.avro.io.DatumReader;
import org.jspecify.annotations.Nullable;

/** The records of a file as objects. Not thread-safe. */
final class FileObjects<D> implements FileReader<D> {
  private final FastDataFileReader file;
  private final DatumReader<D> reader;

  FileObjects(FastDataFileReader file, DatumReader<D> reader) {
    this.file = file;
    this.reader = reader;
  }

  @Override
  public Schema getSchema() {
    return file.schema();
  }

  @Override
  public boolean hasNext() {
    try {
      return file.hasNext();
    } catch (IOException e) {
      throw new AvroRuntimeException(e);
    }
  }

  @Override
  public D next() {
    try {
      return next(null);
    } catch (IOException e) {
      throw new AvroRuntimeException(e);
    }
  }

  @Override
  public D next(@Nullable D reuse) throws IOException {
    return file.read(reader, reuse);
  }

  @Override
  public Iterator<D> iterator() {
    return this;
  }

  @Override
  public void sync(long position) throws IOException {
    file.sync(position);
  }

  @Override
  public boolean pastSync(long position) throws IOException {
    return file.pastSync(position);
  }

  /** Returns the position of the next record's block; Avro's reader returns its read position. */
  @Override
  public long tell() {
    return file.previousSync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
