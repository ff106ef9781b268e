package io.tidemark.cli.audit;

import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionAssigner;
import io.tidemark.store.partition.PartitionField;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.UnusablePartitionException;
import io.tidemark.store.schema.SchemaConflictException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * The Hive partition of a decoded record, from its fields and the table's partitioning. Used by one
 * thread, for one file.
 */
public final class RecordPlace {
  private static final String NOWHERE = "(no Hive partition: %s)";

  /** A function from the fields' values, in Avro binary, to the path of a Hive partition. */
  private interface Placing {
    String path(List<Optional<byte[]>> values) throws UnusablePartitionException;
  }

  /** A field and the schema of its value, without the index of a union. */
  private record Leaf(String path, Schema schema) {}

  private final List<Leaf> leaves;
  private final Placing placing;

  private RecordPlace(List<Leaf> leaves, Placing placing) {
    this.leaves = leaves;
    this.placing = placing;
  }

  /**
   * Returns the function; empty if the place of records is not checked. This is so if no field
   * decides the place (Kafka's timestamp is not in the files), or if not only fields decide it.
   *
   * @param schema the file's schema
   */
  public static Optional<RecordPlace> of(PartitionSpec partitioning, Schema schema) {
    if (partitioning.fieldPaths().isEmpty()
        || !(partitioning instanceof TimePartitioned || partitioning instanceof FieldPartitioned)) {
      return Optional.empty();
    }
    List<Leaf> leaves = new ArrayList<>();
    try {
      for (String path : partitioning.fieldPaths()) {
        leaves.add(new Leaf(path, leaf(schema, path)));
      }
      return Optional.of(
          new RecordPlace(
              leaves,
              partitioning instanceof TimePartitioned time
                  ? byTime(time, leaves.get(0))
                  : byFields(partitioning, leaves)));
    } catch (SchemaConflictException e) {
      String nowhere = NOWHERE.formatted(e.getMessage());
      return Optional.of(new RecordPlace(List.of(), values -> nowhere));
    }
  }

  private static Placing byTime(TimePartitioned time, Leaf leaf) throws SchemaConflictException {
    TimestampField field = TimestampField.of(leaf.path(), leaf.schema(), time.zone(), time.unit());
    PartitionAssigner assigner = time.assigner();
    return values -> {
      if (values.get(0).isEmpty()) {
        return NOWHERE.formatted(leaf.path() + " is null");
      }
      byte[] value = values.get(0).get();
      return assigner.assign(field.epochMillis(value, 0, value.length)).path();
    };
  }

  private static Placing byFields(PartitionSpec partitioning, List<Leaf> leaves)
      throws SchemaConflictException {
    List<PartitionField> fields = new ArrayList<>();
    for (Leaf leaf : leaves) {
      fields.add(PartitionField.of(leaf.path(), leaf.schema()));
    }
    List<String> columns =
        leaves.stream().map(leaf -> FieldPartitioned.column(leaf.path())).toList();
    if (!columns.equals(partitioning.columns())) {
      throw new IllegalStateException(partitioning + " has other columns than " + columns);
    }
    return values -> {
      List<String> texts = new ArrayList<>();
      for (int each = 0; each < fields.size(); each++) {
        Optional<byte[]> value = values.get(each);
        texts.add(
            value.isPresent()
                ? fields.get(each).text(value.get(), 0, value.get().length)
                : HivePartition.DEFAULT_VALUE);
      }
      return new HivePartition(columns, texts).path();
    };
  }

  /** Returns the path of a record's Hive partition, or why the record has none. */
  public String of(GenericRecord record) throws IOException {
    List<Optional<byte[]>> values = new ArrayList<>();
    for (Leaf leaf : leaves) {
      values.add(value(record, leaf));
    }
    try {
      return placing.path(values);
    } catch (UnusablePartitionException e) {
      return NOWHERE.formatted(e.getMessage());
    }
  }

  private static Optional<byte[]> value(GenericRecord record, Leaf leaf) throws IOException {
    Object value = record;
    for (String name : leaf.path().split("\\.", -1)) {
      if (!(value instanceof GenericRecord inner)) {
        return Optional.empty();
      }
      value = inner.get(name);
    }
    if (value == null) {
      return Optional.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<Object>(leaf.schema()).write(value, encoder);
    encoder.flush();
    return Optional.of(bytes.toByteArray());
  }

  private static Schema leaf(Schema schema, String path) throws SchemaConflictException {
    Schema leaf = schema;
    for (String name : path.split("\\.", -1)) {
      Schema.Field field = leaf.getType() == Schema.Type.RECORD ? leaf.getField(name) : null;
      if (field == null) {
        throw new SchemaConflictException("the file's schema has no field " + path);
      }
      leaf = withoutNull(field.schema());
    }
    return leaf;
  }

  private static Schema withoutNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    List<Schema> branches =
        schema.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).toList();
    return branches.size() == 1 ? branches.get(0) : schema;
  }
}
