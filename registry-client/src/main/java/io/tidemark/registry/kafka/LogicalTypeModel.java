package io.tidemark.registry.kafka;

import java.util.List;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;

/** Creates Avro's model of generic datums, with a conversion for each logical type of Avro. */
final class LogicalTypeModel {
  private static final List<Conversion<?>> CONVERSIONS =
      List.of(
          new Conversions.DecimalConversion(),
          new Conversions.BigDecimalConversion(),
          new Conversions.UUIDConversion(),
          new Conversions.DurationConversion(),
          new TimeConversions.DateConversion(),
          new TimeConversions.TimeMillisConversion(),
          new TimeConversions.TimeMicrosConversion(),
          new TimeConversions.TimestampMillisConversion(),
          new TimeConversions.TimestampMicrosConversion(),
          new TimeConversions.TimestampNanosConversion(),
          new TimeConversions.LocalTimestampMillisConversion(),
          new TimeConversions.LocalTimestampMicrosConversion(),
          new TimeConversions.LocalTimestampNanosConversion());

  private LogicalTypeModel() {}

  /**
   * Creates a model. Writers convert objects of logical types, and write raw values, such as the
   * bytes of a decimal, unchanged. Readers convert every value of a logical type.
   */
  static GenericData create() {
    GenericData model = new GenericData();
    CONVERSIONS.forEach(model::addLogicalTypeConversion);
    return model;
  }
}
