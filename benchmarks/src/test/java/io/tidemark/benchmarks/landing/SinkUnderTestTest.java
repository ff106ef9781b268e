package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SinkUnderTestTest {

  @Test
  void placeholdersGiveWayAndOthersStay() {
    var sink = new SinkUnderTest("any", Map.of("directory", "/${run}/${topic}", "x", "${file:y}"));

    assertThat(sink.settings(Map.of("run", "any_1", "topic", "quotes")))
        .containsEntry("directory", "/any_1/quotes")
        .containsEntry("x", "${file:y}");
  }
}
