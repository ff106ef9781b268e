package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HiveTablePropertiesTest {

  @Test
  void propertiesAreReadWithCommasInTheirValues() {
    assertThat(HiveTableProperties.parse("")).isEmpty();
    assertThat(HiveTableProperties.parse(" owner = sales ,comment=orders\\, by day, f=a=b"))
        .isEqualTo(Map.of("owner", "sales", "comment", "orders, by day", "f", "a=b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXTERNAL=FALSE | EXTERNAL must not be set: every table is external",
        "external=TRUE | external must not be set: every table is external",
        "external.table.purge=true | Hive would delete landed files with a dropped table",
        "tidemark.log=mine | the connector uses such properties itself",
        "avro.schema.literal={} | the table's schema is derived from the schemas of its records",
        "avro.schema.url=hdfs:///s | the table's schema is derived from the schemas of its records",
        "transactional=true | only Hive may write the files of a transactional table",
        "transactional_properties=insert_only | only Hive may write the files",
        "storage_handler=a.B | another program would manage the table's files",
        "table_type=ICEBERG | an Iceberg table lists its files itself",
        "skip.header.line.count=1 | it controls how files are read",
        "numRows=0 | Hive stores its own statistics there",
        "COLUMN_STATS_ACCURATE=true | Hive stores its own statistics there",
        "columns=a | it controls how files are read",
        "serialization.lib=a.B | it controls how files are read",
        "owner | \"owner\" has no '='. Write NAME=VALUE",
        "owner=a,b | \"b\" has no '='. Write NAME=VALUE, with \\, for a comma in a value",
        "owner=a,owner=b | owner is set twice. Remove one",
        "owner= | owner has no value. Add a value, or remove the property",
        "=a | \"\" is not the name of a property",
        "own er=a | \"own er\" is not the name of a property. Use at most 256 letters",
        "owner=a\u0007b | the value of owner is longer than 4000 characters, or contains a control"
      })
  void wrongPropertyIsRefusedWithTheReason(String text, String problem) {
    assertThatThrownBy(() -> HiveTableProperties.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void limitsAreThoseOfTheMetastoresDatabase() {
    String properties =
        IntStream.range(0, 100).mapToObj(i -> "p" + i + "=v").collect(Collectors.joining(","));
    assertThat(HiveTableProperties.parse(properties)).hasSize(100);
    assertThatThrownBy(() -> HiveTableProperties.parse(properties + ",one=more"))
        .hasMessage("101 properties are more than the maximum of 100. Set the others in Hive");

    String name = "n".repeat(256);
    String value = "v".repeat(4_000);
    assertThat(HiveTableProperties.parse(name + "=" + value)).isEqualTo(Map.of(name, value));
    assertThatThrownBy(() -> HiveTableProperties.parse(name + "n=" + value))
        .hasMessageContaining("is not the name of a property");
    assertThatThrownBy(() -> HiveTableProperties.parse(name + "=v" + value))
        .hasMessageContaining("is longer than 4000 characters");
  }
}
