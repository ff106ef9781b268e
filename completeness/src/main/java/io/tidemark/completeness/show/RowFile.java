package io.tidemark.completeness.show;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;

/**
 * A file of a table of the ledger: an Avro file with rows of one ledger entry, or of all up to its
 * number, which is its name. Example: {@code 00000000000000000042.avro}
 */
final class RowFile {
  static final Pattern NAME = Pattern.compile("00[0-9]{18}\\.avro");

  private RowFile() {}

  static String name(long ledgerEntry) {
    return String.format(Locale.ROOT, "%020d.avro", ledgerEntry);
  }

  /** Returns the number of a file's ledger entry; empty for a directory or another name. */
  static OptionalLong ledgerEntry(StoredFile file) {
    String name = file.path().name();
    return file.directory() || !NAME.matcher(name).matches()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(name.substring(0, name.length() - 5)));
  }

  /**
   * Returns the newest merged file of a day or month, which has the rows of all entries up to its
   * number. Example: {@code 000…97/000…97.avro} in the directory of merged files.
   */
  static Optional<StoredFile> newestMerged(Storage storage, StoragePath directory)
      throws IOException {
    List<StoredFile> merged = storage.list(directory);
    for (int i = merged.size() - 1; i >= 0; i--) {
      StoragePath one = merged.get(i).path();
      Optional<StoredFile> file = storage.find(one.child(one.name() + ".avro"));
      if (file.filter(found -> ledgerEntry(found).isPresent()).isPresent()) {
        return file;
      }
    }
    return Optional.empty();
  }

  static byte[] bytes(Schema schema, List<GenericRecord> rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer = writer(schema, bytes)) {
      for (GenericRecord row : rows) {
        writer.append(row);
      }
    }
    return bytes.toByteArray();
  }

  static DataFileWriter<GenericRecord> writer(Schema schema, OutputStream out) throws IOException {
    return new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(schema))
        .setCodec(CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL))
        .create(schema, out);
  }

  /** Reports a file that is damaged, or of which the store has lost a part. */
  static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Passes the rows of a file to a consumer, one at a time. If they cannot be read, the error ends
   * with {@code cure}: what else to do than to restore the file.
   */
  static void read(
      Storage storage, StoragePath file, DatumReader<GenericRecord> reader, String cure, Rows rows)
      throws IOException {
    try (InputStream in = storage.open(file);
        DataFileStream<GenericRecord> read = opened(in, reader)) {
      for (GenericRecord row : read) {
        rows.accept(row);
      }
    } catch (AvroRuntimeException e) {
      throw new UnreadableException(
          "%s%s cannot be read: %s. If the file is damaged or lost, restore it from a copy%s."
              .formatted(storage.location(), file, PrintableText.messageOf(e), cure),
          e);
    }
  }

  private static DataFileStream<GenericRecord> opened(
      InputStream in, DatumReader<GenericRecord> reader) {
    try {
      return new DataFileStream<>(in, reader);
    } catch (IOException e) { // "Not an Avro data file", whatever the cause is
      throw new AvroRuntimeException(e.getCause() == null ? e : e.getCause());
    }
  }

  @FunctionalInterface
  interface Rows {
    void accept(GenericRecord row) throws IOException;
  }
}
