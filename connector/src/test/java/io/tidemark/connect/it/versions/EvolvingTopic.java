package io.tidemark.connect.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.CatalogTable;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * A topic with two schemas, and the connector that lands it. The first readings have one schema,
 * the next ones alternate between two, and the last ones have the newer one. They are in several
 * hours of a table that is partitioned by hour.
 */
final class EvolvingTopic {

  static final long OLD = 1_000;
  static final long MIXED = 3_000;

  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("'dt='yyyy-MM-dd'/hour='HH").withZone(ZoneOffset.UTC);

  private final SourceTopic topic;
  private final ConnectorSettings settings;
  private final Deployment connector;

  private EvolvingTopic(SourceTopic topic, ConnectorSettings settings, RealStack stack) {
    this.topic = topic;
    this.settings = settings;
    this.connector = stack.deploy(settings);
  }

  /** Produces the first readings and deploys the connector. */
  static EvolvingTopic begin(RealStack stack, String name, Map<String, String> registry) {
    SourceTopic topic = stack.topic(name, 2);
    if (!registry.isEmpty()) {
      topic.writtenBy(registry);
    }
    topic.send(Readings.V1, 0, OLD);
    ConnectorSettings settings =
        ConnectorSettings.of(name, topic)
            .with("header.converter", "org.apache.kafka.connect.converters.ByteArrayConverter")
            .with("partitioner.class", "TimeBasedPartitioner")
            .with("path.format", "'dt'=yyyy-MM-dd/'hour'=HH")
            .with("partition.duration.ms", 3_600_000)
            .with("batch.records", 1_000_000)
            .with("avro.codec", "null")
            // Low enough that a batch spills to its staged files long before it is complete.
            .with("memory.bytes", 6 << 20);
    for (Map.Entry<String, String> setting : registry.entrySet()) {
      settings = settings.with(setting.getKey(), setting.getValue());
    }
    return new EvolvingTopic(topic, settings, stack);
  }

  Deployment connector() {
    return connector;
  }

  LandedTable table() {
    return connector.table(topic);
  }

  SourceTopic topic() {
    return topic;
  }

  /** Produces the readings with two schemas. */
  void evolve() {
    for (int source = 0; source < topic.topicPartitions(); source++) {
      topic.sendAlternating(source, List.of(Readings.V1, Readings.V2), OLD, MIXED);
    }
  }

  /** Delays the next commit until many more records have arrived. No former task reads on. */
  void commitLate() {
    connector.configureStopped(settings.with("batch.interval.ms", 600_000));
  }

  void commitSoon() {
    connector.configure(settings);
  }

  private static Schema writtenWith(RowKey key) {
    return key.seq() < OLD || (key.seq() < MIXED && key.seq() % 2 == 0) ? Readings.V1 : Readings.V2;
  }

  /** Each reading exists once for a reader that takes its schema from the Metastore. */
  void assertLanded() throws IOException {
    connector.landsExactly();
    CatalogTable shown = table().inCatalog().orElseThrow();
    assertThat(shown.columns())
        .containsExactly(
            "source", "seq", "taken", "celsius", "note", "unit", "quality", "dt", "hour");
    Set<String> hours =
        topic.produced().stream()
            .map(key -> HOUR.format(Readings.taken(key.seq())))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(hours).hasSize(2);
    assertThat(shown.locations()).containsOnlyKeys(hours);
    Map<RowKey, GenericRecord> rows = rows(shown);
    for (RowKey key : topic.produced()) {
      GenericRecord produced = Readings.reading(writtenWith(key), key);
      assertThat(rows.get(key)).isEqualTo(resolved(produced, shown.schema()));
    }
  }

  /** All rows of the Hive partitions' directories. */
  private Map<RowKey, GenericRecord> rows(CatalogTable shown) throws IOException {
    Map<RowKey, GenericRecord> rows = new HashMap<>();
    Map<String, String> locations = shown.locations();
    for (String path : table().published().keySet()) {
      String directory = path.substring(0, path.lastIndexOf('/'));
      assertThat(locations).containsValue(directory);
      for (GenericRecord row : table().read(path).rows()) {
        RowKey key = RowKey.of(row);
        assertThat(directory).endsWith("/" + HOUR.format(Readings.taken(key.seq())));
        rows.put(key, resolved(row, shown.schema()));
      }
    }
    return rows;
  }

  /** A row as Avro returns it for a reader schema. */
  private static GenericRecord resolved(GenericRecord row, Schema reader) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(row.getSchema()).write(row, encoder);
    return new GenericDatumReader<GenericRecord>(row.getSchema(), reader)
        .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
  }
}
