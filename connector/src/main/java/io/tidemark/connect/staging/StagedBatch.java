package io.tidemark.connect.staging;

import java.util.List;

/**
 * A batch whose files are written durably, and of which nothing is visible yet.
 *
 * @param landed the records that were written to the files
 */
public record StagedBatch(BatchIdentity identity, long landed, List<StagedFile> files) {

  public StagedBatch {
    files = List.copyOf(files);
  }
}
