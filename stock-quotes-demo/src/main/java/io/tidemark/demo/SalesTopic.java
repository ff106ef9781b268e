package io.tidemark.demo;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** The three topics of the sales, each with a table of the same name. */
enum SalesTopic {
  ORDERS("orders"),
  ORDER_LINES("order_lines"),
  PAYMENTS("payments");

  private static final int PRECISION = 12;
  private static final int SCALE = 2;

  private static final Map<SalesTopic, Schema> SCHEMAS = new EnumMap<>(SalesTopic.class);

  static {
    for (SalesTopic each : values()) {
      SCHEMAS.put(each, schema(each));
    }
  }

  private final String topic;

  SalesTopic(String topic) {
    this.topic = topic;
  }

  /** Returns the topic's name. */
  String topic() {
    return topic;
  }

  /** Returns the table's name. Example: {@code default.order_lines}. */
  String table() {
    return "default." + topic;
  }

  private static Schema schema(SalesTopic of) {
    Schema amount =
        LogicalTypes.decimal(PRECISION, SCALE).addToSchema(Schema.create(Schema.Type.BYTES));
    Schema time = LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
    SchemaBuilder.FieldAssembler<Schema> fields =
        SchemaBuilder.record(of.topic)
            .namespace("io.tidemark.demo.sales")
            .fields()
            .requiredLong("order_id")
            .name("ordered")
            .type(time)
            .noDefault();
    return switch (of) {
      case ORDERS -> fields.requiredString("customer").requiredInt("lines").endRecord();
      case ORDER_LINES ->
          fields.requiredInt("line").name("amount").type(amount).noDefault().endRecord();
      case PAYMENTS -> fields.name("amount").type(amount).noDefault().endRecord();
    };
  }

  /** Returns the record of a sale's order or payment. */
  GenericRecord of(Sale sale) {
    GenericRecord record = new GenericData.Record(SCHEMAS.get(this));
    record.put("order_id", sale.orderId());
    record.put("ordered", sale.timestamp());
    if (this == ORDERS) {
      record.put("customer", sale.customer());
      record.put("lines", sale.lineCents().size());
    } else {
      record.put("amount", decimal(sale.cents()));
    }
    return record;
  }

  /** Returns the record of a line of a sale. */
  static GenericRecord line(Sale sale, int line) {
    GenericRecord record = new GenericData.Record(SCHEMAS.get(ORDER_LINES));
    record.put("order_id", sale.orderId());
    record.put("ordered", sale.timestamp());
    record.put("line", line);
    record.put("amount", decimal(sale.lineCents().get(line)));
    return record;
  }

  private static ByteBuffer decimal(long cents) {
    return ByteBuffer.wrap(BigInteger.valueOf(cents).toByteArray());
  }
}
