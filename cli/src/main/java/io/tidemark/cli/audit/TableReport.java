package io.tidemark.cli.audit;

import java.util.List;

/**
 * The result of the audit of a table.
 *
 * @param waiting the number of files that are committed and not in the table yet
 * @param unchecked the comparisons that were not possible, with the reason
 */
public record TableReport(
    String table,
    long hivePartitions,
    long files,
    long records,
    long bytes,
    long waiting,
    List<Finding> findings,
    List<String> unchecked) {

  public TableReport {
    findings = List.copyOf(findings);
    unchecked = List.copyOf(unchecked);
  }
}
