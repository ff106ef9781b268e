import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import scala.collection.JavaConverters;

/**
 * Writes what Spark reads from tables into a file, as a JSON document for each of them: {@code
 * {"types": {…}, "rows": [{…}, …]}} or {@code {"error": …}}.
 *
 * <p>A leaf says what it is, as the class ShownValue of the tests does: {@code "int 7"}. Java runs
 * this source file itself, on Spark's class path; Spark's settings are system properties.
 *
 * <p>Arguments: the file; then for each table its name in the Metastore, or {@code DIRECTORY}, or
 * {@code DIRECTORY=SCHEMA_FILE}, of Avro files.
 */
final class PrintTables {

  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS");

  private PrintTables() {}

  public static void main(String[] args) throws Exception {
    SparkSession.Builder builder = SparkSession.builder();
    List<Object> answers = new ArrayList<>();
    try (SparkSession spark = builder.enableHiveSupport().getOrCreate()) {
      for (int i = 1; i < args.length; i++) {
        answers.add(answer(spark, args[i]));
      }
    }
    new ObjectMapper().writeValue(new File(args[0]), answers);
  }

  private static Map<String, Object> answer(SparkSession spark, String table) {
    Map<String, Object> answer = new LinkedHashMap<>();
    try {
      Dataset<Row> data = table(spark, table);
      Map<String, String> types = new LinkedHashMap<>();
      for (StructField field : data.schema().fields()) {
        types.put(field.name(), field.dataType().simpleString());
      }
      List<Object> rows = new ArrayList<>();
      data.collectAsList().forEach(row -> rows.add(value(row)));
      answer.put("types", types);
      answer.put("rows", rows);
    } catch (Exception e) {
      StringBuilder causes = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        causes.append(cause).append('\n');
      }
      answer.put("error", causes.toString());
    }
    return answer;
  }

  private static Dataset<Row> table(SparkSession spark, String table) throws Exception {
    if (!table.contains("/")) {
      return spark.table(table);
    }
    String[] parts = table.split("=", 2);
    return parts.length == 1
        ? spark.read().format("avro").load(parts[0])
        : spark
            .read()
            .format("avro")
            .option("avroSchema", Files.readString(Path.of(parts[1]), StandardCharsets.UTF_8))
            .load(parts[0]);
  }

  private static Object value(Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof Row row) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        fields.put(row.schema().fields()[i].name(), value(row.get(i)));
      }
      return fields;
    }
    if (value instanceof scala.collection.Seq<?> items) {
      List<Object> list = new ArrayList<>();
      JavaConverters.seqAsJavaListConverter(items).asJava().forEach(item -> list.add(value(item)));
      return list;
    }
    if (value instanceof scala.collection.Map<?, ?> entries) {
      Map<String, Object> map = new LinkedHashMap<>();
      JavaConverters.mapAsJavaMapConverter(entries)
          .asJava()
          .forEach((key, entry) -> map.put(String.valueOf(key), value(entry)));
      return map;
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      return "real " + HexFormat.of().toHexDigits(Double.doubleToLongBits(number));
    }
    if (value instanceof BigDecimal decimal) {
      return "decimal " + decimal.stripTrailingZeros().toPlainString();
    }
    if (value instanceof byte[] bytes) {
      return "bytes " + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Instant instant) {
      return "instant " + DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
    }
    if (value instanceof LocalDateTime local) {
      return "local " + DATE_TIME.format(local);
    }
    String tag =
        value instanceof Boolean
            ? "boolean "
            : value instanceof Number ? "int " : value instanceof LocalDate ? "date " : "text ";
    return tag + value;
  }
}
