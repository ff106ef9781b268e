package io.tidemark.connect.staging;

import io.tidemark.store.file.DataFileFactory;
import io.tidemark.store.file.DataFileWriter;
import io.tidemark.store.file.FilePart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/** The rows of a segment, read by Avro's own library from a file of the segment. */
final class SegmentRows {
  private SegmentRows() {}

  static List<GenericRecord> of(DataFileFactory files, FilledSegment segment) throws IOException {
    DataFileWriter writer =
        files.newFile(segment.destination().schema(), UUID.randomUUID(), Runnable::run);
    writer.append(segment.segment());
    writer.finish().join();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    writer.writeHead(file);
    for (FilePart part : writer.take()) {
      writer.write(part, file);
    }
    writer.writeEnd(file);
    List<GenericRecord> rows = new ArrayList<>();
    try (DataFileStream<GenericRecord> stream =
        new DataFileStream<>(
            new ByteArrayInputStream(file.toByteArray()), new GenericDatumReader<>())) {
      stream.forEach(rows::add);
    }
    return rows;
  }
}
