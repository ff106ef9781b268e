package io.tidemark.connect.staging;

import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableRoot;
import java.util.List;

/** A batch whose files are written durably, with {@code landed} records. No file is visible yet. */
public record StagedBatch(
    BatchIdentity identity, long landed, List<TableRoot> tables, List<DataFile> files) {

  public StagedBatch {
    tables = List.copyOf(tables);
    files = List.copyOf(files);
  }
}
