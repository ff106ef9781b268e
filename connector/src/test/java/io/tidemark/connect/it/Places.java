package io.tidemark.connect.it;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * A table partitioned by a text, with one row for each of its values. The number of a row is the
 * place of its value.
 */
record Places(List<String> values, Deployment connector, LandedTable table) {

  private static final Schema SCHEMA =
      SchemaBuilder.record("Placed")
          .fields()
          .requiredLong("seq")
          .requiredString("place")
          .endRecord();

  /** Lands a row of each value in a file of its own. */
  static Places landed(RealStack stack, String name, String... values) {
    SourceTopic topic = stack.topic(name.replace('-', '_'), 1);
    int id = stack.register(topic.name(), SCHEMA);
    for (int seq = 0; seq < values.length; seq++) {
      GenericRecord row = new GenericData.Record(SCHEMA);
      row.put("seq", (long) seq);
      row.put("place", values[seq]);
      topic.sendRaw(0, Readings.framed(id, row));
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(name, topic)
                .with("partitioner.class", "FieldPartitioner")
                .with("partition.field.name", "place"));
    LandedTable table = connector.table(topic);
    Polling.until(
        "all values have landed",
        RealStack.DEADLINE,
        () ->
            table.published().size() == values.length
                ? Optional.empty()
                : Optional.of(table.published().keySet().toString()));
    return new Places(List.of(values), connector, table);
  }

  /** Waits until Hive returns the rows of exactly these values. */
  void awaitRowsOf(String... shown) {
    List<Object> expected =
        Stream.of(shown).<Object>map(value -> (long) values.indexOf(value)).sorted().toList();
    Polling.until(
        "Hive returns the rows " + expected,
        RealStack.DEADLINE,
        () -> {
          try {
            List<Object> found =
                table.query("SELECT seq FROM " + table.name() + " ORDER BY seq").stream()
                    .<Object>map(row -> row.get(0))
                    .toList();
            return found.equals(expected) ? Optional.empty() : Optional.of("it returns " + found);
          } catch (IllegalStateException e) { // The table does not exist yet.
            return Optional.of(String.valueOf(e.getCause()));
          }
        });
  }
}
