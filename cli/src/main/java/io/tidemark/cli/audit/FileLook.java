package io.tidemark.cli.audit;

import io.tidemark.cli.audit.AvroBlocks.DamagedFileException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoredFile;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * The content of one published file.
 *
 * @param entry the log entry that the file's header names
 * @param records the number of records; 0 for a damaged file
 * @param damage why the file cannot be read completely
 * @param misplaced how many records belong to another Hive partition, and to which
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
   * @param deep the partitioning by which each record is checked; empty to read headers only
   * @throws IOException if the store is unavailable
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
                            "the headers of its blocks count %d records, and %d can be decoded"
                                .formatted(counted.records(), decoded.records())));
    return new FileLook(file, counted.entry(), decoded.records(), damage, decoded.misplaced());
  }
}
