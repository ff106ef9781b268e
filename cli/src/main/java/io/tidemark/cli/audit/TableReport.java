package io.tidemark.cli.audit;

import java.util.List;

/**
 * The result of the audit of a table. See {@link AuditReport}.
 *
 * @param waiting the number of files that are committed and not in the table yet
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
