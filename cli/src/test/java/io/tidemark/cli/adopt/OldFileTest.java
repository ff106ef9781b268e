package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OldFileTest {
  private static StoragePath path(String name) {
    return new StoragePath("/topics/t/city=a+0+1+2.avro/" + name);
  }

  @ParameterizedTest
  @CsvSource({
    "orders+0+0000000020+0000000039.avro,              orders,          0, 20,                39",
    "shop.orders_v-2+17+00005+00009.avro,              shop.orders_v-2, 17, 5,                 9",
    "clicks+0+99995+100004.avro,                       clicks,          0, 99995,            "
        + " 100004",
    "a+2147483647+1+9223372036854775806.avro,          a,               2147483647, 1,       "
        + " 9223372036854775806"
  })
  void nameHasTopicPartitionAndOffsets(
      String name, String topic, int partition, long first, long last) {
    OldFile file = OldFile.parse(path(name)).orElseThrow();

    assertThat(file.topicPartition()).isEqualTo(new TopicPartition(topic, partition));
    assertThat(file.first()).isEqualTo(first);
    assertThat(file.last()).isEqualTo(last);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part-00000.avro",
        "orders+0+g1+0000000000+0000000001.avro",
        "orders+0+0000000000+0000000001",
        "orders+0+5+4.avro",
        "orders+0+0+9223372036854775807.avro",
        "orders+0+0+99999999999999999999.avro",
        "orders+9999999999+0+1.avro",
        "orders+0+0+1.avro.crc"
      })
  void otherNamesAreNotTheSinks(String name) {
    assertThat(OldFile.parse(path(name))).isEmpty();
  }

  @Test
  void otherFormatsAreKnownByTheirNames() {
    assertThat(OldFile.isOfAnotherFormat(path("orders+0+0+1.parquet"))).isTrue();
    assertThat(OldFile.isOfAnotherFormat(path("orders+0+0+1.avro"))).isFalse();
    assertThat(OldFile.isOfAnotherFormat(path("part-0.parquet"))).isFalse();
  }
}
