package io.tidemark.registry.kafka;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;

/** A class of the form that Avro's compiler generates. */
public final class Order extends SpecificRecordBase {
  private static final long serialVersionUID = 1L;

  public static final Schema SCHEMA$ =
      SchemaBuilder.record("Order")
          .namespace("io.tidemark.registry.kafka")
          .fields()
          .requiredString("item")
          .requiredLong("count")
          .endRecord();

  private String item = "";
  private long count;

  public Order() {}

  Order(String item, long count) {
    this.item = item;
    this.count = count;
  }

  @Override
  public Schema getSchema() {
    return SCHEMA$;
  }

  @Override
  public Object get(int field) {
    return field == 0 ? item : (Object) count;
  }

  @Override
  public void put(int field, Object value) {
    if (field == 0) {
      item = value.toString();
    } else {
      count = (long) value;
    }
  }
}
