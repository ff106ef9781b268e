package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetastoreSettingsTest {

  @Test
  void urisAreSeparatedByCommas() {
    assertThat(
            MetastoreSettings.of("thrift://a:9083, thrift://b:9084", MetastoreAccess.OF_THE_PROCESS)
                .uris())
        .containsExactly(URI.create("thrift://a:9083"), URI.create("thrift://b:9084"));
  }

  @Test
  void httpTransportHasAPath() {
    assertThat(
            MetastoreSettings.of("http://a:9083/metastore", MetastoreAccess.OF_THE_PROCESS).uris())
        .containsExactly(URI.create("http://a:9083/metastore"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http:a",
        "http://a:9083/",
        "",
        "a:9083",
        "http://a:9083",
        "thrift://a",
        "thrift://a:9083,",
        "thrift:// "
      })
  void otherTextIsRefused(String uris) {
    assertThatThrownBy(() -> MetastoreSettings.of(uris, MetastoreAccess.OF_THE_PROCESS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hive.metastore.uris")
        .hasMessageContaining("Example: thrift://metastore1:9083");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mysql://hive:s3cr3t@db:3306/hive",
        "thrift://ann:s3cr3t@a:9083",
        "thrift://ann:s3cr3t@a b:9083"
      })
  void userIsRefusedAndThePasswordIsNotTold(String uris) {
    assertThatThrownBy(() -> MetastoreSettings.of(uris, MetastoreAccess.OF_THE_PROCESS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .message()
        .contains("//…@")
        .doesNotContain("s3cr3t");
  }
}
