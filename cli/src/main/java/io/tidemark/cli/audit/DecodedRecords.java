package io.tidemark.cli.audit;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The records of a file, each decoded by Avro's own reader.
 *
 * @param records the number of decoded records
 * @param damage why the other records could not be decoded
 * @param misplaced how many records belong to another Hive partition, with the first of these
 */
record DecodedRecords(long records, Optional<String> damage, Optional<String> misplaced) {

  static DecodedRecords of(
      Storage storage, StoragePath file, HivePartition hivePartition, PartitionSpec partitioning)
      throws IOException {
    long records = 0;
    long elsewhere = 0;
    String first = "";
    try (StoreStream in = new StoreStream(storage.open(file));
        DataFileStream<GenericRecord> stream =
            new DataFileStream<>(in, new GenericDatumReader<>())) {
      Optional<RecordPlace> place = RecordPlace.of(partitioning, stream.getSchema());
      GenericRecord reused = null;
      try {
        while (stream.hasNext()) {
          reused = stream.next(reused);
          records++;
          if (place.isPresent()) {
            String where = place.get().of(reused);
            if (!where.equals(hivePartition.path())) {
              first = elsewhere++ == 0 ? where : first;
            }
          }
        }
      } catch (IOException | RuntimeException e) { // Of damaged bytes.
        in.rethrowFailure();
        return new DecodedRecords(
            records,
            Optional.of("its record %d cannot be decoded: %s".formatted(records + 1, text(e))),
            Optional.empty());
      }
      return new DecodedRecords(
          records,
          Optional.empty(),
          elsewhere == 0
              ? Optional.empty()
              : Optional.of(
                  "%d of its %d records belong to another Hive partition, the first of these to %s"
                      .formatted(elsewhere, records, PrintableText.line(first))));
    } catch (AvroRuntimeException e) {
      return new DecodedRecords(
          0, Optional.of("its header cannot be read: " + text(e)), Optional.empty());
    }
  }

  private static String text(Exception e) {
    return PrintableText.of(e);
  }

  /** A stream that records failures of the store, to distinguish them from damaged bytes. */
  private static final class StoreStream extends FilterInputStream {
    private Optional<IOException> failure = Optional.empty();

    StoreStream(InputStream in) {
      super(in);
    }

    void rethrowFailure() throws IOException {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failure = Optional.of(e);
        throw e;
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (IOException e) {
        failure = Optional.of(e);
        throw e;
      }
    }
  }
}
