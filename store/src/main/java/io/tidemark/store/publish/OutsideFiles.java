package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Finds published files that do not fit their table's layout. The catalog cannot show such files.
 * Thread-safe.
 */
final class OutsideFiles {
  private static final int FILES_SHOWN = 20;

  private final Storage storage;
  private final OperatorConsent consent;
  private final Map<StoragePath, List<String>> columns = new HashMap<>();

  OutsideFiles(Storage storage, OperatorConsent consent) {
    this.storage = storage;
    this.consent = consent;
  }

  /**
   * Rejects batches with files that do not fit their table's layout, in one error for all files.
   * Earlier builds, which did not record the layout, committed such files after a change of
   * settings.
   *
   * @throws CatalogConflictException if there are such files; the message has the files and a cure
   */
  void requireConsent(List<CommitEntry.Batch> waiting)
      throws IOException, CorruptLogException, CatalogConflictException {
    Set<UUID> steps = new LinkedHashSet<>();
    List<DataFile> refused = new ArrayList<>();
    for (CommitEntry.Batch batch : waiting) {
      for (TableRoot table : batch.tables()) {
        List<DataFile> outside = of(batch, table);
        if (!outside.isEmpty() && !consent.agreesTo(step(batch))) {
          steps.add(step(batch));
          refused.addAll(outside);
        }
      }
    }
    if (refused.isEmpty()) {
      return;
    }
    DataFile first = refused.get(0);
    throw new CatalogConflictException(
        "%s: %d published files are outside of the table's layout, for example in the Hive partition \"%s\": %s. They were committed when the configuration had another layout, so Hive cannot show them in this table. To continue without them, set operator.consent=%s. Their entries then count as registered, and Hive does not have their rows until you move the files to the directories of the layout."
            .formatted(
                first.table(),
                refused.size(),
                first.hivePartition(),
                shown(refused),
                consent.valueWith(steps)));
  }

  /**
   * Returns the operator's step: leave those files of an entry out of the catalog that do not fit
   * the layout.
   */
  static UUID step(CommitEntry.Batch batch) {
    return OperatorConsent.step("outside of the layout", batch.attempt());
  }

  private String shown(List<DataFile> files) {
    String names =
        files.stream()
            .limit(FILES_SHOWN)
            .map(file -> storage.location() + file.path())
            .collect(Collectors.joining(", "));
    return files.size() <= FILES_SHOWN
        ? names
        : names + ", and " + (files.size() - FILES_SHOWN) + " more";
  }

  static List<DataFile> filesOf(CommitEntry.Batch batch, TableRoot table) {
    return batch.files().stream().filter(file -> file.table().equals(table.table())).toList();
  }

  /** Returns the files of a batch whose partition columns differ from those of their table. */
  List<DataFile> of(CommitEntry.Batch batch, TableRoot table)
      throws IOException, CorruptLogException {
    List<DataFile> files = filesOf(batch, table);
    if (files.isEmpty()) {
      return files;
    }
    List<String> existing = columns(table.root(), files.get(0));
    return files.stream().filter(file -> !file.hivePartition().columns().equals(existing)).toList();
  }

  /**
   * Returns the partition columns of a table. Only a former root, in which no records land any
   * more, may lack a recorded layout. The columns are then those of the file.
   */
  synchronized List<String> columns(StoragePath root, DataFile file)
      throws IOException, CorruptLogException {
    List<String> known = columns.get(root);
    if (known == null) {
      known =
          new LayoutFile(storage, new TableLayout(root))
              .read()
              .map(RecordedLayout::columns)
              .orElse(file.hivePartition().columns());
      columns.put(root, known);
    }
    return known;
  }
}
