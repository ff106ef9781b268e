package io.tidemark.cli.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** A report for programs: one object in one line. Later versions only add fields. */
public final class AuditJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditJson() {}

  public static ObjectNode of(AuditReport report) {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", 1);
    node.put("connector", report.connector());
    node.put("ledgerEntry", report.ledgerEntry());
    node.put("at", report.at().toString());
    node.put("deep", report.deep());
    node.put("agrees", report.findings().isEmpty());
    ArrayNode tables = node.putArray("tables");
    for (TableReport table : report.tables()) {
      ObjectNode each = tables.addObject();
      each.put("name", table.table());
      each.put("hivePartitions", table.hivePartitions());
      each.put("files", table.files());
      each.put("records", table.records());
      each.put("bytes", table.bytes());
      each.put("waiting", table.waiting());
    }
    node.put("topicPartitions", report.topicPartitions());
    ArrayNode findings = node.putArray("findings");
    for (Finding finding : report.findings()) {
      ObjectNode each = findings.addObject();
      each.put("kind", finding.kind().name().toLowerCase(Locale.ROOT));
      each.put("place", finding.place());
      each.put("problem", finding.problem());
      each.put("cure", finding.kind().cure());
    }
    ArrayNode unchecked = node.putArray("unchecked");
    report.unchecked().forEach(unchecked::add);
    node.put("holds", report.holds());
    return node;
  }
}
