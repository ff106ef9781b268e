package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class ServiceTest {

  @Test
  void hiveServerBringsAllThatItNeeds() {
    assertThat(Service.withRequired(Set.of(Service.HIVE_SERVER)))
        .containsExactlyInAnyOrder(Service.HIVE_SERVER, Service.METASTORE, Service.HDFS);
  }

  @Test
  void everyServiceStandsBelowThoseThatItNeeds() {
    for (Service service : Service.values()) {
      assertThat(service.requires()).allMatch(required -> required.compareTo(service) < 0);
    }
  }
}
