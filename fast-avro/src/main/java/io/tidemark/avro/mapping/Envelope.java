package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.FieldDefaults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The schema of Debezium's changes of a row, and the row that they become.
 *
 * <p>The row has the columns of the image {@code after}, or of {@code before} if a change has no
 * other. Then come the envelope's other fields, with {@code cdc_} before their names, and the
 * fields of {@code source} in place of that record.
 *
 * <pre>
 * before: null
 * after: {id: 7, name: Ann}
 * source: {db: shop, lsn: 4711}             id: 7, name: Ann, cdc_source_db: shop,
 * op: c                                -&gt;   cdc_source_lsn: 4711, cdc_op: c,
 * ts_ms: 1795348998445                      cdc_ts_ms: 1795348998445
 * </pre>
 *
 * <p>Fields that do not belong to the envelope keep their names.
 *
 * @param schema the writer schema
 * @param row the schema of the row
 * @param before the position of {@code before} in the writer schema
 * @param after the position of {@code after}
 * @param flat the positions of records whose fields are columns
 */
record Envelope(Schema schema, Schema row, int before, int after, Set<Integer> flat) {
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String SOURCE = "source";
  private static final String PREFIX = "cdc_";
  private static final Set<String> OTHERS =
      Set.of(SOURCE, "op", "ts_ms", "ts_us", "ts_ns", "transaction");

  /** Debezium's types with the same encoding as one of Avro's logical types. */
  private static final Map<String, String> SEMANTIC =
      Map.of(
          "io.debezium.time.Date", "date",
          "io.debezium.time.Time", "time-millis",
          "io.debezium.time.MicroTime", "time-micros",
          "io.debezium.time.Timestamp", "local-timestamp-millis",
          "io.debezium.time.MicroTimestamp", "local-timestamp-micros",
          "io.debezium.time.NanoTimestamp", "local-timestamp-nanos",
          "io.debezium.data.Uuid", "uuid");

  private static final Map<String, Schema.Type> ENCODED =
      Map.of(
          "date", Schema.Type.INT,
          "time-millis", Schema.Type.INT,
          "time-micros", Schema.Type.LONG,
          "local-timestamp-millis", Schema.Type.LONG,
          "local-timestamp-micros", Schema.Type.LONG,
          "local-timestamp-nanos", Schema.Type.LONG,
          "uuid", Schema.Type.STRING);

  Envelope {
    flat = Set.copyOf(flat);
  }

  /**
   * Returns the envelope of a writer schema.
   *
   * @throws UnmappableSchemaException if the schema is not one of Debezium's changes
   */
  static Envelope of(Schema writer) {
    Optional<Schema> image = image(writer, AFTER);
    if (image.isEmpty()
        || !image.equals(image(writer, BEFORE))
        || writer.getField("op") == null
        || writer.getField(SOURCE) == null) {
      throw new UnmappableSchemaException(
          "%s is not a change of Debezium: it has not the fields op and source, and the nullable records before and after of one type"
              .formatted(writer.getFullName()));
    }
    if (SchemaMapper.contains(image.get(), image.get().getFullName(), new HashSet<>())) {
      throw new UnmappableSchemaException(
          "the record %s of its rows contains itself".formatted(image.get().getFullName()));
    }
    return new Semantics().envelope(writer, image.get());
  }

  /** Returns the record of a field that is a union of null and one record. */
  private static Optional<Schema> image(Schema writer, String name) {
    if (writer.getType() != Schema.Type.RECORD || writer.getField(name) == null) {
      return Optional.empty();
    }
    Schema union = writer.getField(name).schema();
    return union.isUnion() && union.getTypes().size() == 2 && union.isNullable()
        ? union.getTypes().stream()
            .filter(branch -> branch.getType() == Schema.Type.RECORD)
            .findFirst()
        : Optional.empty();
  }

  /** Returns whether a branch of {@code before} or {@code after} is null. */
  boolean isNull(int image, int branch) {
    return schema.getFields().get(image).schema().getTypes().get(branch).getType()
        == Schema.Type.NULL;
  }

  /** Gives Debezium's types the logical types of Avro. Used for one schema. */
  private static final class Semantics {
    private final Map<String, Schema> records = new HashMap<>();

    Envelope envelope(Schema writer, Schema image) {
      List<Schema.Field> columns = new ArrayList<>();
      Set<String> names = new HashSet<>();
      image.getFields().forEach(field -> add(field, field.name(), columns, names));
      Set<Integer> flat = new HashSet<>();
      for (Schema.Field field : writer.getFields()) {
        String name = OTHERS.contains(field.name()) ? PREFIX + field.name() : field.name();
        if (field.name().equals(SOURCE) && field.schema().getType() == Schema.Type.RECORD) {
          flat.add(field.pos());
          for (Schema.Field inner : field.schema().getFields()) {
            add(inner, name + '_' + inner.name(), columns, names);
          }
        } else if (!field.name().equals(BEFORE) && !field.name().equals(AFTER)) {
          add(field, name, columns, names);
        }
      }
      Schema row =
          Schema.createRecord(image.getName(), image.getDoc(), image.getNamespace(), false);
      row.setFields(columns);
      image.getAliases().forEach(row::addAlias);
      image.getObjectProps().forEach(row::addProp);
      return new Envelope(
          writer, row, writer.getField(BEFORE).pos(), writer.getField(AFTER).pos(), flat);
    }

    private void add(
        Schema.Field field, String name, List<Schema.Field> columns, Set<String> names) {
      if (!names.add(name)) {
        throw new UnmappableSchemaException("two of its columns would be named " + name);
      }
      columns.add(like(field, name));
    }

    private Schema.Field like(Schema.Field field, String name) {
      boolean hasDefault = field.hasDefaultValue() && !new FieldDefaults().isIncomplete(field);
      return MappedDefault.named(
          name, field, of(field.schema()), hasDefault ? field.defaultVal() : null);
    }

    private Schema of(Schema schema) {
      return switch (schema.getType()) {
        case INT, LONG, STRING -> scalar(schema);
        case ARRAY -> withProps(schema, Schema.createArray(of(schema.getElementType())));
        case MAP -> withProps(schema, Schema.createMap(of(schema.getValueType())));
        case UNION -> Schema.createUnion(schema.getTypes().stream().map(this::of).toList());
        case RECORD -> record(schema);
        default -> schema;
      };
    }

    private static Schema scalar(Schema schema) {
      String logical = SEMANTIC.get(String.valueOf(schema.getProp("connect.name")));
      if (logical == null
          || schema.getProp("logicalType") != null
          || ENCODED.get(logical) != schema.getType()) {
        return schema;
      }
      Schema made = withProps(schema, Schema.create(schema.getType()));
      made.addProp("logicalType", logical);
      return org.apache.avro.LogicalTypes.fromSchema(made).addToSchema(made);
    }

    private Schema record(Schema schema) {
      Schema known = records.get(schema.getFullName());
      if (known != null) {
        return known;
      }
      Schema record =
          Schema.createRecord(
              schema.getName(), schema.getDoc(), schema.getNamespace(), schema.isError());
      records.put(schema.getFullName(), record);
      schema.getAliases().forEach(record::addAlias);
      record.setFields(
          schema.getFields().stream().map(field -> like(field, field.name())).toList());
      return withProps(schema, record);
    }

    private static Schema withProps(Schema schema, Schema made) {
      schema.getObjectProps().forEach(made::addProp);
      return made;
    }
  }
}
