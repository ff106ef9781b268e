package io.tidemark.connect.staging;

import java.util.List;

/** A batch whose files are written durably, and of which nothing is visible yet. */
public record StagedBatch(BatchIdentity identity, long delivered, List<StagedFile> files) {

  public StagedBatch {
    files = List.copyOf(files);
  }
}
