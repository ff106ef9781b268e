package io.tidemark.benchmarks.articles.export;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.file.read.FastDataFileReader;
import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;

/** A library that reads and writes Avro files as generic objects, only in the caller's thread. */
enum FileLibrary {
  /** fast-avro. */
  OURS {
    @Override
    FileReader<GenericRecord> open(Schema schema, SeekableInput file) throws IOException {
      return FastDataFileReader.builder()
          .parallelism(1)
          .open(file, "file")
          .objects(new KeptReader(schema));
    }

    @Override
    void write(Schema schema, String codec, List<GenericRecord> records, OutputStream out)
        throws IOException {
      var writer = new FastDatumWriter<GenericRecord>(schema);
      writer.compileNow();
      try (var file =
          ParallelFileWriter.builder(schema)
              .codec(BlockCodec.of(codec))
              .parallelism(1)
              .writeTo(out)) {
        for (GenericRecord each : records) {
          file.append(each, writer);
        }
        file.finish();
      }
    }
  },
  /** Avro's library without its fast reader. */
  STOCK {
    @Override
    FileReader<GenericRecord> open(Schema schema, SeekableInput file) throws IOException {
      return stock(schema, file, false);
    }
  },
  /** Avro's library with its fast reader, which is on by default. */
  FASTREADER {
    @Override
    FileReader<GenericRecord> open(Schema schema, SeekableInput file) throws IOException {
      return stock(schema, file, true);
    }
  };

  /**
   * Opens a file.
   *
   * @param schema a schema equal to the file's; compiled code is cached for this object
   */
  abstract FileReader<GenericRecord> open(Schema schema, SeekableInput file) throws IOException;

  /** Writes a file with a codec, given by its name in Avro. */
  void write(Schema schema, String codec, List<GenericRecord> records, OutputStream out)
      throws IOException {
    try (var file = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(schema))) {
      file.setCodec(CodecFactory.fromString(codec)).create(schema, out);
      for (GenericRecord each : records) {
        file.append(each);
      }
    }
  }

  static FileLibrary labelled(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  private static FileReader<GenericRecord> stock(
      Schema schema, SeekableInput file, boolean fastReader) throws IOException {
    var data = new GenericData();
    data.setFastReaderEnabled(fastReader);
    return new DataFileReader<>(file, new GenericDatumReader<>(schema, schema, data));
  }

  /** Reuses the compiled code for all files, although each file has its own schema object. */
  private static final class KeptReader implements DatumReader<GenericRecord> {
    private final Schema schema;
    private final FastDatumReader<GenericRecord> reader;

    KeptReader(Schema schema) {
      this.schema = schema;
      reader = new FastDatumReader<>(schema);
      reader.compileNow();
    }

    @Override
    public void setSchema(Schema ofFile) {
      if (!ofFile.equals(schema)) {
        throw new IllegalArgumentException("a file of another schema: " + ofFile);
      }
    }

    @Override
    public GenericRecord read(GenericRecord reuse, Decoder in) throws IOException {
      return reader.read(reuse, in);
    }
  }
}
