package io.tidemark.cli.audit;

import java.util.List;

/**
 * What an audit found of a table.
 *
 * @param waiting files that are committed and not in the table yet
 * @param unchecked what could not be compared, and why
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
