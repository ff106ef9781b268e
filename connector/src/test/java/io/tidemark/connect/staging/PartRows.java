package io.tidemark.connect.staging;

import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.file.AvroFileWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/** The rows of a part of a chunk, read by Avro's own library from a file. */
final class PartRows {
  private PartRows() {}

  static List<GenericRecord> of(AvroFileFactory files, ChunkPart part) throws IOException {
    AvroFileWriter writer =
        files.newFile(part.destination().schema(), UUID.randomUUID(), Runnable::run);
    writer.append(part.segment());
    writer.finish().join();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    writer.writeHead(file);
    for (AvroFileWriter.Part block : writer.take()) {
      writer.write(block, file);
    }
    writer.end();
    List<GenericRecord> rows = new ArrayList<>();
    try (DataFileStream<GenericRecord> stream =
        new DataFileStream<>(
            new ByteArrayInputStream(file.toByteArray()), new GenericDatumReader<>())) {
      stream.forEach(rows::add);
    }
    return rows;
  }
}
