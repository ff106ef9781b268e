package io.tidemark.connect.it.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/**
 * Files of a table, with one column only. They are for readers that cannot read a file at all if
 * one of its columns has a type that they do not support.
 */
final class ColumnFiles {

  private ColumnFiles() {}

  /**
   * Writes the files of each column, or of all columns that share a label.
   *
   * @param directory for the files
   * @return the files by label
   */
  static Map<String, List<Path>> write(Landing.ReadTable table, Path directory) throws IOException {
    Map<String, Set<String>> names =
        table.columns().stream()
            .collect(
                Collectors.groupingBy(
                    TypedColumn::label,
                    LinkedHashMap::new,
                    Collectors.mapping(TypedColumn::name, Collectors.toSet())));
    Map<String, List<Path>> files = new LinkedHashMap<>();
    for (Map.Entry<String, Set<String>> group : names.entrySet()) {
      Path folder =
          Files.createDirectories(
              directory.resolve(table.name()).resolve(String.valueOf(files.size())));
      List<Path> written = new ArrayList<>();
      for (Path file : table.files()) {
        written.add(project(file, group.getValue(), folder));
      }
      files.put(group.getKey(), written);
    }
    return files;
  }

  private static Path project(Path file, Set<String> columns, Path folder) throws IOException {
    Path projected = folder.resolve(file.getFileName());
    GenericDatumReader<GenericRecord> rows = new GenericDatumReader<>();
    try (DataFileReader<GenericRecord> reader = new DataFileReader<>(file.toFile(), rows)) {
      Schema all = reader.getSchema();
      List<Schema.Field> fields =
          all.getFields().stream()
              .filter(field -> field.name().equals(Answer.KEY) || columns.contains(field.name()))
              .map(field -> new Schema.Field(field, field.schema()))
              .toList();
      Schema schema = Schema.createRecord(all.getName(), null, all.getNamespace(), false, fields);
      rows.setExpected(schema);
      try (DataFileWriter<GenericRecord> writer =
          new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
        writer.setCodec(CodecFactory.fromString(reader.getMetaString(DataFileConstants.CODEC)));
        for (String key : reader.getMetaKeys()) {
          if (!DataFileWriter.isReservedMeta(key)) {
            writer.setMeta(key, reader.getMeta(key));
          }
        }
        writer.create(schema, projected.toFile());
        for (GenericRecord row : reader) {
          writer.append(row);
        }
      }
    }
    return projected;
  }
}
