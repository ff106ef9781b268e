package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.ExitCode;
import java.time.Instant;
import java.util.List;

/**
 * What an audit found.
 *
 * @param ledgerEntry the ledger's last entry; 0 where there is no ledger
 * @param topicPartitions how many logs were held against Kafka's offsets
 * @param unchecked what could not be compared, and why
 * @param blocks how many blocks of the ledger are open
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
    long blocks) {

  public AuditReport {
    tables = List.copyOf(tables);
    findings = List.copyOf(findings);
    unchecked = List.copyOf(unchecked);
  }

  /** How {@code audit} ends. What is known goes before what is not. */
  public ExitCode exitCode() {
    if (blocks > 0 || findings.stream().anyMatch(each -> each.kind().needsOperator())) {
      return ExitCode.OPERATOR;
    }
    if (!findings.isEmpty()) {
      return ExitCode.NOT_YET;
    }
    return unchecked.isEmpty() ? ExitCode.YES : ExitCode.UNKNOWN;
  }
}
