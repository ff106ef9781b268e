package io.tidemark.connect.staging;

import io.tidemark.avro.file.Block;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.file.ChunkRecords;
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
    BlockSequence written = files.newFile(Runnable::run);
    written.append(((ChunkRecords.Blocks) part.segment()).run());
    written.finish().join();
    ContainerFileHeader header = files.newHeader(part.destination().schema(), UUID.randomUUID());
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(header.encoded());
    for (Block block : written.take()) {
      block.writeTo(file, header);
    }
    List<GenericRecord> rows = new ArrayList<>();
    try (DataFileStream<GenericRecord> stream =
        new DataFileStream<>(
            new ByteArrayInputStream(file.toByteArray()), new GenericDatumReader<>())) {
      stream.forEach(rows::add);
    }
    return rows;
  }
}
