package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.junit.jupiter.api.Test;

/** The text and the columns of views over two tables; HiveCatalogIT queries such views. */
final class HiveViewsTest {

  @Test
  void whatOneTableDoesNotHaveIsNullInItsRows() throws Exception {
    Table view =
        view(
            "{'name':'id','type':'long'},{'name':'price','type':'long'},{'name':'old','type':'int'}",
            "{'name':'price','type':'string'},{'name':'id','type':'long'},{'name':'new','type':'double'}");

    assertThat(view.getViewExpandedText())
        .isEqualTo(
            "SELECT * FROM (SELECT `id` AS `id`, `price` AS `price`, `old` AS `old`, `dt` AS `dt`, CAST(NULL AS string) AS `price_other`, CAST(NULL AS double) AS `new` FROM `d`.`t`"
                + " UNION ALL SELECT `id` AS `id`, CAST(NULL AS bigint) AS `price`, CAST(NULL AS int) AS `old`, `dt` AS `dt`, `price` AS `price_other`, `new` AS `new` FROM `d`.`t_other`) `rows`");
    assertThat(view.getSd().getCols())
        .extracting(FieldSchema::getName, FieldSchema::getType)
        .extracting(Object::toString)
        .containsExactly(
            "(\"id\", \"bigint\")",
            "(\"price\", \"bigint\")",
            "(\"old\", \"int\")",
            "(\"dt\", \"string\")",
            "(\"price_other\", \"string\")",
            "(\"new\", \"double\")");
    assertThat(view.getDbName() + "." + view.getTableName()).isEqualTo("d.t_all");
    assertThat(view.getTableType()).isEqualTo("VIRTUAL_VIEW");
    assertThat(view.getPartitionKeys()).isEmpty();
    assertThat(view.getSd().getLocation()).isNull();
    assertThat(view.getParameters()).containsOnlyKeys("tidemark.log", "tidemark.registered");
  }

  @Test
  void nestedTypesAreShownOnlyIfBothTablesHaveThem() throws Exception {
    Table view =
        view(
            "{'name':'l','type':{'type':'array','items':'int'}},{'name':'m','type':{'type':'map','values':'int'}},{'name':'n','type':'null'}",
            "{'name':'l','type':{'type':'array','items':'int'}},{'name':'m','type':{'type':'map','values':'string'}}");

    assertThat(view.getSd().getCols()).extracting(FieldSchema::getName).containsExactly("l", "dt");
  }

  /** A column may have the name that the suffix makes. */
  @Test
  void columnWithTheNameOfAnotherOneAndTheSuffixIsNotReplaced() throws Exception {
    Table view =
        view(
            "{'name':'a','type':'int'},{'name':'a_other','type':'int'}",
            "{'name':'a','type':'string'},{'name':'b','type':'int'}");

    assertThat(view.getViewExpandedText())
        .contains(
            "SELECT CAST(NULL AS int) AS `a`, CAST(NULL AS int) AS `a_other`, `dt` AS `dt`, `b` AS `b` FROM `d`.`t_other`");
  }

  @Test
  void viewThatSomebodyChangedIsFound() throws Exception {
    Table view = view("{'name':'a','type':'int'}", "{'name':'a','type':'int'}");
    assertThat(HiveViews.isUnchanged(view)).isTrue();

    view.setViewExpandedText("SELECT 1");
    assertThat(HiveViews.isUnchanged(view)).isFalse();
    view.unsetViewExpandedText();
    view.getParameters().clear();
    assertThat(HiveViews.isUnchanged(view)).isFalse();
  }

  private static Table view(String one, String two) throws Exception {
    return HiveViews.over(table("t", one), table("t_other", two), "t_all");
  }

  private static Table table(String name, String fields) throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
    return HiveObjects.table(
        new TableDefinition(
            new TableName("d", name),
            "hdfs://nn/topics/" + name,
            schema,
            List.of("dt"),
            Map.of("tidemark.log", "ours", "note", "theirs")),
        HiveSchema.of(schema, List.of("dt")),
        "owner");
  }
}
