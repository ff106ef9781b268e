import com.fasterxml.jackson.databind.ObjectMapper;
import io.trino.Session;
import io.trino.plugin.hive.HivePlugin;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingSession;
import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes what Trino reads from tables into a file, as a JSON document for each of them: {@code
 * {"types": {…}, "rows": [{…}, …], "errors": {…}}} or {@code {"error": …}}.
 *
 * <p>A leaf says what it is, as the class ShownValue of the tests does: {@code "int 7"}. Java runs
 * this source file itself, on Trino's class path.
 *
 * <p>Arguments: the file, a directory for Trino's files, the URI of the Metastore; then the tables'
 * names.
 */
final class PrintTrino {

  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS");

  private PrintTrino() {}

  public static void main(String[] args) throws Exception {
    Session session = TestingSession.testSessionBuilder().setCatalog("hive").build();
    List<Object> answers = new ArrayList<>();
    try (DistributedQueryRunner trino =
        DistributedQueryRunner.builder(session)
            .setWorkerCount(0)
            .setBaseDataDir(Optional.of(Files.createDirectories(Path.of(args[1]))))
            .setExtraProperties(
                Map.of(
                    "query.max-memory", "200MB",
                    "query.max-memory-per-node", "200MB",
                    "memory.heap-headroom-per-node", "100MB"))
            .build()) {
      trino.installPlugin(new HivePlugin());
      trino.createCatalog(
          "hive",
          "hive",
          Map.of(
              "hive.metastore.uri", args[2],
              "fs.hadoop.enabled", "true",
              "hive.security", "allow-all"));
      for (int i = 3; i < args.length; i++) {
        answers.add(answer(trino, args[i]));
      }
    }
    new ObjectMapper().writeValue(new File(args[0]), answers);
    // Trino's own threads may still run.
    System.exit(0);
  }

  private static Map<String, Object> answer(DistributedQueryRunner trino, String table) {
    Map<String, Object> answer = new LinkedHashMap<>();
    try {
      Map<String, String> types = new LinkedHashMap<>();
      for (MaterializedRow column : trino.execute("DESCRIBE " + table)) {
        types.put((String) column.getField(0), (String) column.getField(1));
      }
      Map<String, String> errors = new LinkedHashMap<>();
      List<String> columns = new ArrayList<>(types.keySet());
      MaterializedResult rows;
      try {
        rows = select(trino, columns, table);
      } catch (RuntimeException wrongColumn) {
        for (String column : types.keySet()) {
          try {
            select(trino, List.of(column), table);
          } catch (RuntimeException e) {
            columns.remove(column);
            errors.put(column, causes(e));
          }
        }
        rows = select(trino, columns, table);
      }
      List<Object> values = new ArrayList<>();
      for (MaterializedRow row : rows) {
        Map<String, Object> shown = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
          shown.put(columns.get(i), value(rows.getTypes().get(i), row.getField(i)));
        }
        values.add(shown);
      }
      answer.put("types", types);
      answer.put("rows", values);
      answer.put("errors", errors);
    } catch (RuntimeException e) {
      answer.put("error", causes(e));
    }
    return answer;
  }

  private static MaterializedResult select(
      DistributedQueryRunner trino, List<String> columns, String table) {
    return trino.execute("SELECT \"" + String.join("\", \"", columns) + "\" FROM " + table);
  }

  private static String causes(Throwable e) {
    StringBuilder causes = new StringBuilder();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      causes.append(cause).append('\n');
    }
    return causes.toString();
  }

  private static Object value(Type type, Object value) {
    if (value == null) {
      return null;
    }
    if (type instanceof RowType row) {
      List<?> parts = value instanceof MaterializedRow one ? one.getFields() : (List<?>) value;
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        RowType.Field field = row.getFields().get(i);
        fields.put(field.getName().orElseThrow(), value(field.getType(), parts.get(i)));
      }
      return fields;
    }
    if (type instanceof ArrayType array) {
      List<Object> list = new ArrayList<>();
      ((List<?>) value).forEach(item -> list.add(value(array.getElementType(), item)));
      return list;
    }
    if (type instanceof MapType entries) {
      Map<String, Object> map = new LinkedHashMap<>();
      ((Map<?, ?>) value)
          .forEach((key, each) -> map.put(String.valueOf(key), value(entries.getValueType(), each)));
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
