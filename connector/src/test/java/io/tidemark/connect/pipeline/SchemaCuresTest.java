package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.TestTask.BadRecords;
import io.tidemark.connect.pipeline.TestTask.Limits;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cures in errors of tables that refuse a schema. The producer does what the error says, the
 * operator skips the record that has already arrived, and all other records land.
 */
final class SchemaCuresTest {
  private static final int TABLES = 1;
  private static final int REFUSED = 2;
  private static final int CORRECTED = 3;

  private static final String PLACE =
      "{'name':'place','type':{'type':'record','name':'P','fields':[{'name':'town','type':'string'}]}}";
  private static final PartitionSpec BY_TOWN = new FieldPartitioned(List.of("place.town"));

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final Schemas registry = new Schemas();
  private final List<String> good = new ArrayList<>();
  private Limits limits = Limits.WIDE;

  /** The fields that cause a schema's refusal, and the corrected fields that the error requests. */
  private enum Conflict {
    OTHER_LOGICAL_TYPE(
        "the logical types differ, so no schema can read both. Give the new schema a topic of its"
            + " own, or a field of another name.",
        field("at", "{'type':'long','logicalType':'timestamp-millis'}"),
        field("at", "{'type':'long','logicalType':'timestamp-micros'}"),
        field("at_micros", "{'type':'long','logicalType':'timestamp-micros'}")),
    DEFAULT_OF_A_TYPE_THAT_HOLDS_ITSELF(
        "Give the new schema a topic of its own, or the types in it other names.",
        field("a", "{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]}")
            + ","
            + field(
                "b",
                "{'type':'record','name':'O','fields':[{'name':'n','type':'N','default':{'x':1}}]}"),
        field("a", itself("N", "O")),
        field("c", itself("N2", "O2"))),
    NESTED_TOO_DEEP(
        "Flatten it, or leave the topic out.",
        field("n", "'int'"),
        field("deep", "{'type':'array','items':".repeat(210) + "'int'" + "}".repeat(210)),
        field("flat", "{'type':'array','items':'int'}")),
    DECIMAL_THAT_HIVE_LACKS(
        "Make it smaller, or a string.",
        field("n", "'int'"),
        field("d", "{'type':'bytes','logicalType':'decimal','precision':50,'scale':40}"),
        field("d", "{'type':'bytes','logicalType':'decimal','precision':38,'scale':2}")),
    DECIMAL_THAT_BECOMES_A_STRING(
        "Make it smaller, or a string.",
        field("n", "'int'"),
        field("d", "{'type':'bytes','logicalType':'decimal','precision':50,'scale':40}"),
        field("d", "'string'"));

    private final String cure;
    private final String tables;
    private final String refused;
    private final String corrected;

    Conflict(String cure, String tables, String refused, String corrected) {
      this.cure = cure;
      this.tables = tables;
      this.refused = refused;
      this.corrected = corrected;
    }

    private static String itself(String name, String inner) {
      return "{'type':'record','name':'%s','fields':[{'name':'x','type':'int'},{'name':'o','type':['null',{'type':'record','name':'%s','fields':[{'name':'n','type':'%s'}]}],'default':null}]}"
          .formatted(name, inner, name);
    }

    private static String field(String name, String type) {
      return "{'name':'%s','type':%s}".formatted(name, type);
    }
  }

  @ParameterizedTest
  @EnumSource
  void correctedSchemaLandsBehindTheSkippedRecord(Conflict conflict) throws Exception {
    refuse(conflict);
    registry.put(CORRECTED, row(conflict.corrected));
    produce(CORRECTED, 10);

    ToldSkip.apply(stopped(conflict), topic, storage);

    land(PartitionSpec.NONE);
    assertThat(keys()).containsExactlyElementsOf(good);
  }

  /**
   * Schemas that are nested too deeply, or that Hive lacks, are not in this test: another topic
   * would refuse them, too.
   */
  @ParameterizedTest
  @EnumSource(names = {"OTHER_LOGICAL_TYPE", "DEFAULT_OF_A_TYPE_THAT_HOLDS_ITSELF"})
  void topicOfItsOwnTakesTheSchema(Conflict conflict) throws Exception {
    refuse(conflict);
    ToldSkip.apply(stopped(conflict), topic, storage);
    land(PartitionSpec.NONE);

    FakeTopic own = new FakeTopic("quotes_2");
    own.produce(0, framed(REFUSED, row(conflict.refused), "own"));
    try (TestTask task = task(own, PartitionSpec.NONE)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(storage, TestTask.TOPICS.child("quotes_2"))).containsExactly("own");
    assertThat(keys()).containsExactlyElementsOf(good);
  }

  @Test
  void anotherPartitionFieldHidesNoFieldOfTheTable() throws Exception {
    registry.put(TABLES, row(PLACE + ",{'name':'place_town','type':'int'}"));
    produce(TABLES, 10);
    assertThat(stopped(BY_TOWN))
        .contains(
            "the partition column place_town would hide the field place_town of the table in Hive",
            "or, while the table has no files, choose another partition.field.name");

    land(new FieldPartitioned(List.of("key")));

    assertThat(keys()).containsExactlyInAnyOrderElementsOf(good);
  }

  @Test
  void topicWithoutThePartitionFieldLandsByAnother() throws Exception {
    registry.put(TABLES, row("{'name':'n','type':'int'}"));
    produce(TABLES, 10);
    assertThat(stopped(BY_TOWN))
        .contains(
            "place.town cannot be used to choose Hive partitions: no field",
            "Give the topic or the table another partitioner or field");

    land(new FieldPartitioned(List.of("key")));

    assertThat(keys()).containsExactlyInAnyOrderElementsOf(good);
  }

  /** The table has files, and keeps its partition field. */
  @Test
  void fieldOfAnotherNameIsNotHidden() throws Exception {
    registry.put(TABLES, row(PLACE));
    produce(TABLES, 10);
    land(BY_TOWN);
    Schema refused = row(PLACE + ",{'name':'place_town','type':'int'}");
    registry.put(REFUSED, refused);
    topic.produce(0, framed(REFUSED, refused, "refused"));
    registry.put(CORRECTED, row(PLACE + ",{'name':'town_number','type':'int'}"));
    produce(CORRECTED, 10);
    String error = stopped(BY_TOWN);
    assertThat(error).contains("Give the field another name");

    ToldSkip.apply(error, topic, storage);

    land(BY_TOWN);
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(good);
  }

  private void refuse(Conflict conflict) throws IOException {
    if (conflict == Conflict.DEFAULT_OF_A_TYPE_THAT_HOLDS_ITSELF) {
      limits = Limits.WIDE.withoutHive(); // Hive does not have such types.
    }
    registry.put(TABLES, row(conflict.tables));
    produce(TABLES, 10);
    land(PartitionSpec.NONE);
    Schema refused = row(conflict.refused);
    registry.put(REFUSED, refused);
    topic.produce(0, framed(REFUSED, refused, "refused"));
    produce(TABLES, 10);
  }

  private String stopped(Conflict conflict) {
    String error = stopped(PartitionSpec.NONE);
    assertThat(error)
        .startsWith("quotes-0@10: records with schema id 2 cannot land in table default.quotes: ")
        .contains(conflict.cure, "A corrected schema helps only later records");
    return error;
  }

  private String stopped(PartitionSpec partitioning) {
    LandingException[] stopped = new LandingException[1];
    try (TestTask task = task(topic, partitioning)) {
      task.open(0);
      task.pollUntilLanded(0);
    } catch (LandingException e) {
      stopped[0] = e;
    }
    assertThat(stopped[0]).as("the task stops").isNotNull();
    return String.valueOf(stopped[0].getMessage());
  }

  private void land(PartitionSpec partitioning) {
    try (TestTask task = task(topic, partitioning)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private TestTask task(FakeTopic of, PartitionSpec partitioning) {
    return new TestTask(
        of,
        storage,
        registry,
        FramingReader::new,
        partitioning,
        Optional.empty(),
        100,
        100,
        BadRecords.STOP,
        limits);
  }

  private List<String> keys() throws IOException {
    return LandedRows.keys(storage, new StoragePath("/topics/quotes"));
  }

  private void produce(int schemaId, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "k%03d".formatted(good.size());
      topic.produce(0, framed(schemaId, registry.get(schemaId), key));
      good.add(key);
    }
  }

  /** A row with a key and random values. */
  private static byte[] framed(int schemaId, Schema schema, String key) throws IOException {
    GenericRecord row = (GenericRecord) new RandomData(schema, 1, 1).iterator().next();
    row.put("key", key);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(row, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static Schema row(String fields) {
    return new Schema.Parser()
        .parse(
            "{'type':'record','name':'Quote','fields':[{'name':'key','type':'string'},%s]}"
                .formatted(fields)
                .replace('\'', '"'));
  }

  /** A registry in memory. */
  private static final class Schemas implements SchemaRegistry {
    private final Map<SchemaId, Schema> schemas = new ConcurrentHashMap<>();

    void put(int id, Schema schema) {
      schemas.put(SchemaId.of(id), schema);
    }

    Schema get(int id) {
      return Optional.ofNullable(schemas.get(SchemaId.of(id))).orElseThrow();
    }

    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      Schema known = schemas.get(id);
      if (known == null) {
        throw SchemaNotFoundException.unknown(id, 40403, location());
      }
      return new RegisteredSchema(id, known);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
