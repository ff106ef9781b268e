package io.tidemark.connect.hive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.Table;

/**
 * Views over two tables: the second has the records whose schemas conflict with the first. A column
 * of one table is null in the rows of the other. If a name has two types, the column of the second
 * table gets its suffix. Hive cannot cast null to a nested type: it is omitted unless both have it.
 */
final class HiveViews {
  private HiveViews() {}

  private record Column(String name, String source, String type) {
    String in(Map<String, String> table) {
      return type.equals(table.get(source))
          ? "`%s` AS `%s`".formatted(source, name)
          : "CAST(NULL AS %s) AS `%s`".formatted(type, name);
    }
  }

  static Table over(Table one, Table two, String name) {
    Map<String, String> ofOne = columns(one);
    Map<String, String> ofTwo = columns(two);
    String suffix = two.getTableName().substring(one.getTableName().length());
    Map<String, Column> columns = new LinkedHashMap<>();
    ofOne.forEach((column, type) -> columns.put(column, new Column(column, column, type)));
    ofTwo.forEach(
        (column, type) -> {
          if (!type.equals(ofOne.get(column))) {
            String shown = ofOne.containsKey(column) ? column + suffix : column;
            columns.putIfAbsent(shown, new Column(shown, column, type));
          }
        });
    List<Column> shown =
        columns.values().stream()
            .filter(
                each ->
                    !each.type().matches(".*<.*|void")
                        || Objects.equals(ofOne.get(each.source()), ofTwo.get(each.source())))
            .toList();
    String text =
        "SELECT * FROM (%s UNION ALL %s) `rows`"
            .formatted(select(shown, one, ofOne), select(shown, two, ofTwo));
    Table view = one.deepCopy();
    view.setTableName(name);
    view.setTableType("VIRTUAL_VIEW");
    view.setViewOriginalText(text);
    view.setViewExpandedText(text);
    view.setPartitionKeys(List.of());
    view.getSd().unsetLocation();
    view.getSd().setSerdeInfo(new SerDeInfo());
    view.getSd().setCols(shown.stream().map(c -> new FieldSchema(c.name(), c.type(), "")).toList());
    view.getParameters().keySet().retainAll(List.of(HiveCatalog.LOG));
    view.putToParameters(HiveObjects.REGISTERED, HiveObjects.fingerprint(text));
    return view;
  }

  private static String select(List<Column> columns, Table table, Map<String, String> ofTable) {
    return "SELECT %s FROM `%s`.`%s`"
        .formatted(
            columns.stream().map(each -> each.in(ofTable)).collect(Collectors.joining(", ")),
            table.getDbName(),
            table.getTableName());
  }

  /** Whether nobody has changed a view since a connector registered it. */
  static boolean isUnchanged(Table view) {
    return HiveObjects.fingerprint(String.valueOf(view.getViewExpandedText()))
        .equals(view.getParameters().get(HiveObjects.REGISTERED));
  }

  private static Map<String, String> columns(Table table) {
    Map<String, String> columns = new LinkedHashMap<>();
    table.getSd().getCols().forEach(each -> columns.put(each.getName(), each.getType()));
    table.getPartitionKeys().forEach(each -> columns.put(each.getName(), each.getType()));
    return columns;
  }
}
