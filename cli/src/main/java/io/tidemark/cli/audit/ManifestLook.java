package io.tidemark.cli.audit;

import io.tidemark.cli.audit.Evidence.Total;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.show.SuccessFiles;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.Optional;

/**
 * Compares the manifest of a Hive partition with the ledger's completions.
 *
 * @param expected whether the connector writes manifests
 */
record ManifestLook(Storage storage, String logId, TableName table, boolean expected) {

  /**
   * Returns the difference, if there is one.
   *
   * @param listed whether the manifest is in the directory's listing
   */
  Optional<String> problem(
      StoragePath directory, HivePartition hivePartition, Evidence evidence, boolean listed)
      throws IOException {
    Optional<Manifest> existing;
    try {
      existing = listed ? new SuccessFiles(storage).read(directory) : Optional.empty();
    } catch (CorruptLogException e) {
      return Optional.of(PrintableText.messageOf(e));
    }
    if (existing.isPresent()) {
      return problem(existing.get(), hivePartition, evidence);
    }
    Optional<Total> first = evidence.firstCompletion(hivePartition);
    return expected
            && first.isPresent()
            && first.get().revision() <= evidence.ledger().state().shownThrough()
        ? Optional.of(
            "there is no _SUCCESS, although entry %d of the ledger completed the Hive partition; another program removed the file, or completeness.success.file was false at that time"
                .formatted(first.get().revision()))
        : Optional.empty();
  }

  private Optional<String> problem(
      Manifest manifest, HivePartition hivePartition, Evidence evidence) {
    if (!manifest.log().equals(logId)) {
      return Optional.of("_SUCCESS is of the log " + PrintableText.of(manifest.log()));
    }
    HivePartitionTotal shown = manifest.completion().total();
    if (!shown.table().equals(table) || !shown.hivePartition().equals(hivePartition)) {
      return Optional.of("_SUCCESS is of " + shown.id());
    }
    Optional<Total> recorded = evidence.completion(hivePartition.path(), manifest.revision());
    if (recorded.isEmpty()) {
      return evidence.firstCompletion(hivePartition).isEmpty()
              && evidence.mayHaveForgotten(manifest.revision())
          ? Optional.empty()
          : Optional.of(
              "_SUCCESS states that entry %d of the ledger completed it, but that entry has no such completion"
                  .formatted(manifest.revision()));
    }
    Total total = recorded.get();
    return total.records() == shown.records()
            && total.bytes() == shown.bytes()
            && total.files() == shown.files()
        ? Optional.empty()
        : Optional.of(
            "_SUCCESS has %d records (%d bytes) in %d files, and entry %d of the ledger has %d (%d bytes) in %d"
                .formatted(
                    shown.records(),
                    shown.bytes(),
                    shown.files(),
                    manifest.revision(),
                    total.records(),
                    total.bytes(),
                    total.files()));
  }
}
