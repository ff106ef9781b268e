package io.tidemark.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connect accepts the class of a connector without its package, and without "Connector". */
class SinkAliasesTest {
  @ParameterizedTest
  @CsvSource({
    "io.confluent.connect.hdfs.HdfsSinkConnector, hdfs",
    "HdfsSinkConnector, hdfs",
    "HdfsSink, hdfs",
    "Hdfs3Sink, hdfs",
    "GcsSink, s3",
    "IcebergSinkConnector, iceberg",
    "IcebergSink, iceberg",
    "HiveSink, lenses"
  })
  void aliasIsThatOfTheClass(String alias, String rules) throws Exception {
    assertThat(OldSink.of(alias).rules()).isEqualTo(rules);
  }

  /** A fork has the same name in another package. */
  @Test
  void aliasIsNotThatOfAFork() throws Exception {
    assertThat(OldSink.of("HdfsSink"))
        .isEqualTo(OldSink.of("io.confluent.connect.hdfs.HdfsSinkConnector"))
        .isNotEqualTo(OldSink.of("com.example.HdfsSinkConnector"));
  }

  @Test
  void aliasOfSeveralSinksIsWrongUsage() {
    assertThatThrownBy(() -> OldSink.of("S3Sink"))
        .hasMessageContaining("connector.class=S3Sink: several sinks have this name")
        .hasMessageContaining("Write the whole name of the class.");
  }

  @Test
  void otherConnectorsAreWrongUsage() {
    assertThatThrownBy(() -> OldSink.of("com.example.Sink"))
        .hasMessageContaining("this sink is not known");
  }
}
