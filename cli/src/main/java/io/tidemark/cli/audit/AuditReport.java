package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.ExitCode;
import java.time.Instant;
import java.util.List;

/**
 * The result of an audit.
 *
 * @param ledgerEntry the number of the ledger's last entry; 0 if there is no ledger
 * @param topicPartitions the number of logs that were compared with Kafka's offsets
 * @param unchecked the comparisons that were not possible, with the reason
 * @param holds the number of open holds in the ledger
 */
public record AuditReport(
    String connector,
    long ledgerEntry,
    Instant at,
    boolean deep,
    List<TableReport> tables,
    long topicPartitions,
    List<Finding> findings,
    List<String> unchecked,
    long holds) {

  public AuditReport {
    tables = List.copyOf(tables);
    findings = List.copyOf(findings);
    unchecked = List.copyOf(unchecked);
  }

  /** Returns the exit code of {@code audit}. Differences come before failed comparisons. */
  public ExitCode exitCode() {
    if (holds > 0 || findings.stream().anyMatch(each -> each.kind().needsOperator())) {
      return ExitCode.OPERATOR;
    }
    if (!findings.isEmpty()) {
      return ExitCode.NOT_YET;
    }
    return unchecked.isEmpty() ? ExitCode.YES : ExitCode.UNKNOWN;
  }
}
