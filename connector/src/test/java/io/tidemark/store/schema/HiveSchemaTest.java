package io.tidemark.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HiveSchemaTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'null'                                           | void",
        "'boolean'                                        | boolean",
        "'int'                                            | int",
        "'long'                                           | bigint",
        "'float'                                          | float",
        "'double'                                         | double",
        "'bytes'                                          | binary",
        "'string'                                         | string",
        "{'type':'string','logicalType':'uuid'}           | string",
        "{'type':'int','logicalType':'date'}              | date",
        "{'type':'int','logicalType':'time-millis'}       | int",
        "{'type':'long','logicalType':'timestamp-millis'} | timestamp",
        "{'type':'long','logicalType':'timestamp-micros'} | bigint",
        "{'type':'long','logicalType':'local-timestamp-millis'} | bigint",
        "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2} | decimal(9,2)",
        "{'type':'fixed','name':'F','size':5,'logicalType':'decimal','precision':9} | decimal(9,0)",
        "{'type':'fixed','name':'F','size':5}             | binary",
        "{'type':'enum','name':'E','symbols':['A']}       | string",
        "{'type':'array','items':['null','long']}         | array<bigint>",
        "{'type':'map','values':{'type':'array','items':'int'}} | map<string,array<int>>",
        "['null','string']                                | string",
        "['string']                                       | string",
        "['null']                                         | void",
        "['int','null','string']                          | uniontype<int,string>",
        "{'type':'record','name':'N','fields':[{'name':'A','type':'int'},{'name':'b','type':['null',{'type':'map','values':'double'}]}]} | struct<a:int,b:map<string,double>>",
      })
  void everyAvroTypeHasAColumnType(String avro, String hive) throws Exception {
    assertThat(HiveSchema.of(record("{'name':'Col','type':%s}".formatted(avro)), List.of()))
        .extracting(HiveSchema::columns)
        .isEqualTo(List.of(new HiveColumn("col", hive, "")));
  }

  @Test
  void fieldsThatArePartitionColumnsAreLeftOut() throws Exception {
    Schema table =
        record("{'name':'DT','type':'string'},{'name':'a','type':'int','default':3,'doc':'d'}");

    HiveSchema hive = HiveSchema.of(table, List.of("dt", "hour"));

    assertThat(hive.columns()).containsExactly(new HiveColumn("a", "int", "d"));
    assertThat(hive.avro()).isEqualTo(record("{'name':'a','type':'int','default':3,'doc':'d'}"));
  }

  @Test
  void schemaWithoutPartitionColumnsStaysAsItIs() throws Exception {
    Schema table = record("{'name':'a','type':'int'}");

    assertThat(HiveSchema.of(table, List.of("dt")).avro()).isSameAs(table);
  }

  @Test
  void tableOfPartitionColumnsOnlyIsRefused() {
    assertThatThrownBy(() -> HiveSchema.of(record("{'name':'dt','type':'string'}"), List.of("dt")))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("R has no field other than the partition columns [dt]");
  }

  @Test
  void namesThatDifferOnlyInCapitalsAreRefused() {
    assertThatThrownBy(
            () ->
                HiveSchema.of(
                    record("{'name':'id','type':'int'},{'name':'Id','type':'int'}"), List.of()))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("R has the fields id and Id, which Hive does not distinguish");
  }

  @Test
  void recursiveTypesAreRefused() {
    assertThatThrownBy(
            () ->
                HiveSchema.of(
                    record("{'name':'children','type':{'type':'array','items':'R'}}"), List.of()))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("Field R.children[] contains the record R recursively");
  }

  @Test
  void oneRecordInTwoPlacesIsNotRecursive() throws Exception {
    Schema table =
        record(
            "{'name':'a','type':{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]}},"
                + "{'name':'b','type':'N'}");

    assertThat(HiveSchema.of(table, List.of()).columns())
        .extracting(HiveColumn::type)
        .containsExactly("struct<x:int>", "struct<x:int>");
  }

  @Test
  void decimalsThatHiveHasNotAreRefused() {
    assertThatThrownBy(
            () ->
                HiveSchema.of(
                    record(
                        "{'name':'d','type':{'type':'bytes','logicalType':'decimal','precision':39}}"),
                    List.of()))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("Field R.d is a decimal of precision 39");
  }

  private static Schema record(String fields) {
    return new Schema.Parser()
        .parse(
            "{'type': 'record', 'name': 'R', 'fields': [%s]}".formatted(fields).replace('\'', '"'));
  }
}
