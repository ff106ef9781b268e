package io.tidemark.avro.object;

import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.object.code.DataKind;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.jspecify.annotations.Nullable;

/**
 * The replacements of Avro's readers and writers in Avro's own tests: Avro's constructors with the
 * code of fast-avro. A test's own subclass has code of its own to test, so it still extends Avro's
 * class.
 */
@SuppressWarnings("ReferenceEquality") // The comparison is by identity on purpose.
public final class AvrosReaders {
  /** The number of objects that compiled code has read and written. */
  private static final AtomicLong COMPILED = new AtomicLong();

  private AvrosReaders() {}

  /** The number of objects that compiled code has read and written in this class loader. */
  public static long compiled() {
    return COMPILED.get();
  }

  /** Counts an object, unless Avro's own code reads or writes it because of its data. */
  private static void count(GenericData data) {
    if (DataKind.of(data) != DataKind.AVROS) {
      COMPILED.incrementAndGet();
    }
  }

  private static CompiledDatums classes() {
    return new CompiledDatums(Runnable::run, 1, new CompilerOptions(true, Optional.empty()));
  }

  /** A compiled reader for the present schemas of Avro's reader. */
  private static <D> FastDatumReader<D> reader(
      @Nullable FastDatumReader<D> known, GenericDatumReader<D> avros) {
    if (known != null
        && known.getSchema() == avros.getSchema()
        && known.getExpected() == avros.getExpected()) {
      return known;
    }
    var reader =
        new FastDatumReader<D>(avros.getSchema(), avros.getExpected(), avros.getData(), classes());
    if (DataKind.of(avros.getData()) != DataKind.AVROS) {
      reader.compileNow();
    }
    return reader;
  }

  private static <D> FastDatumWriter<D> writer(Schema schema, GenericDatumWriter<D> avros) {
    var writer = new FastDatumWriter<D>(schema, avros.getData(), classes());
    if (DataKind.of(avros.getData()) != DataKind.AVROS) {
      writer.compileNow();
    }
    return writer;
  }

  /** Replaces GenericDatumReader. */
  public static class GenericReader<D> extends GenericDatumReader<D> {
    private @Nullable FastDatumReader<D> fast;

    public GenericReader() {}

    public GenericReader(Schema schema) {
      super(schema);
    }

    public GenericReader(Schema writer, Schema reader) {
      super(writer, reader);
    }

    public GenericReader(Schema writer, Schema reader, GenericData data) {
      super(writer, reader, data);
    }

    protected GenericReader(GenericData data) {
      super(data);
    }

    @Override
    public D read(@Nullable D reuse, Decoder in) throws IOException {
      if (getClass() != GenericReader.class || getSchema() == null || getExpected() == null) {
        return super.read(reuse, in);
      }
      FastDatumReader<D> reader = reader(fast, this);
      fast = reader;
      count(getData());
      return reader.read(reuse, in);
    }
  }

  /** Replaces SpecificDatumReader. */
  public static class SpecificReader<D> extends SpecificDatumReader<D> {
    private @Nullable FastDatumReader<D> fast;

    public SpecificReader() {}

    public SpecificReader(Class<D> type) {
      super(type);
    }

    public SpecificReader(Schema schema) {
      super(schema);
    }

    public SpecificReader(Schema writer, Schema reader) {
      super(writer, reader);
    }

    public SpecificReader(Schema writer, Schema reader, SpecificData data) {
      super(writer, reader, data);
    }

    public SpecificReader(SpecificData data) {
      super(data);
    }

    @Override
    public D read(@Nullable D reuse, Decoder in) throws IOException {
      if (getClass() != SpecificReader.class || getSchema() == null || getExpected() == null) {
        return super.read(reuse, in);
      }
      FastDatumReader<D> reader = reader(fast, this);
      fast = reader;
      count(getData());
      return reader.read(reuse, in);
    }
  }

  /** Replaces GenericDatumWriter. */
  public static class GenericWriter<D> extends GenericDatumWriter<D> {
    private @Nullable FastDatumWriter<D> fast;
    private @Nullable Schema schema;

    public GenericWriter() {}

    protected GenericWriter(GenericData data) {
      super(data);
    }

    public GenericWriter(Schema schema) {
      super(schema);
      this.schema = schema;
    }

    public GenericWriter(Schema schema, GenericData data) {
      super(schema, data);
      this.schema = schema;
    }

    @Override
    public void setSchema(Schema root) {
      super.setSchema(root);
      schema = root;
      fast = null;
    }

    @Override
    public void write(D datum, Encoder out) throws IOException {
      if (getClass() != GenericWriter.class || schema == null || out == null) {
        super.write(datum, out);
        return;
      }
      FastDatumWriter<D> writer = fast == null ? writer(schema, this) : fast;
      fast = writer;
      count(getData());
      writer.write(datum, out);
    }
  }

  /** Replaces SpecificDatumWriter. */
  public static class SpecificWriter<D> extends SpecificDatumWriter<D> {
    private @Nullable FastDatumWriter<D> fast;
    private @Nullable Schema schema;

    public SpecificWriter() {}

    public SpecificWriter(Class<D> type) {
      super(type);
      schema = SpecificData.get().getSchema(type);
    }

    public SpecificWriter(Schema schema) {
      super(schema);
      this.schema = schema;
    }

    public SpecificWriter(Schema schema, SpecificData data) {
      super(schema, data);
      this.schema = schema;
    }

    protected SpecificWriter(SpecificData data) {
      super(data);
    }

    @Override
    public void setSchema(Schema root) {
      super.setSchema(root);
      schema = root;
      fast = null;
    }

    @Override
    public void write(D datum, Encoder out) throws IOException {
      if (getClass() != SpecificWriter.class || schema == null || out == null) {
        super.write(datum, out);
        return;
      }
      FastDatumWriter<D> writer = fast == null ? writer(schema, this) : fast;
      fast = writer;
      count(getData());
      writer.write(datum, out);
    }
  }
}
