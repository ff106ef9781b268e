package io.tidemark.cli.audit;

import io.tidemark.connect.format.avro.AvroBlocks;
import io.tidemark.connect.format.avro.AvroBlocks.DamagedFileException;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * What one published file has.
 *
 * @param entry the log entry that the file says it belongs to
 * @param records how many it has; of a damaged file 0
 * @param damage why it cannot be read as a whole
 * @param misplaced how many records belong to another Hive partition, and which
 */
record FileLook(
    StoredFile file,
    Optional<UUID> entry,
    long records,
    Optional<String> damage,
    Optional<String> misplaced) {

  /**
   * Reads the headers of a file's blocks, or decodes every record.
   *
   * @param deep the partitioning by which each record is looked at; empty to read headers alone
   * @throws IOException the store is away
   */
  static FileLook at(
      Storage storage, StoredFile file, HivePartition hivePartition, Optional<PartitionSpec> deep)
      throws IOException {
    AvroBlocks.Counted counted;
    try (InputStream in = storage.open(file.path())) {
      counted = AvroBlocks.count(in);
    } catch (DamagedFileException e) {
      return new FileLook(
          file, Optional.empty(), 0, Optional.of(PrintableText.messageOf(e)), Optional.empty());
    }
    if (deep.isEmpty()) {
      return new FileLook(
          file, counted.entry(), counted.records(), Optional.empty(), Optional.empty());
    }
    DecodedRecords decoded = DecodedRecords.of(storage, file.path(), hivePartition, deep.get());
    Optional<String> damage =
        decoded
            .damage()
            .or(
                () ->
                    decoded.records() == counted.records()
                        ? Optional.empty()
                        : Optional.of(
                            "its blocks say that they have %d records, and %d can be decoded"
                                .formatted(counted.records(), decoded.records())));
    return new FileLook(file, counted.entry(), decoded.records(), damage, decoded.misplaced());
  }
}
