package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoOptionsTest {

  @Test
  void withoutArgumentsAMillionRecordsAreAskedFor() {
    DemoOptions options = DemoOptions.parse(List.of());
    assertThat(options.records()).isEqualTo(1_000_000);
    assertThat(options.keep()).isFalse();
    assertThat(options.asks()).isFalse();
    assertThat(DemoOptions.parse(List.of("--terminal")).asks()).isTrue();
    assertThat(DemoOptions.parse(List.of("--terminal", "--yes")).asks()).isFalse();
    assertThat(options.registry()).isEqualTo(DemoRegistry.CONFLUENT);
  }

  @Test
  void everyOptionIsRead() {
    DemoOptions options =
        DemoOptions.parse(
            List.of(
                "--keep",
                "--yes",
                "--records",
                "5",
                "--secure",
                "--terminal",
                "--registry",
                "avro-1124",
                "--root",
                "/tidemark"));
    assertThat(options)
        .isEqualTo(
            new DemoOptions(
                5, true, true, true, true, DemoRegistry.AVRO_1124, Path.of("/tidemark")));
  }

  @Test
  void whatIsNoOptionIsNamed() {
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--many"))).hasMessageStartingWith("--many");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records"))).hasMessageContaining("value");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records", "all")))
        .hasMessageStartingWith("--records all");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--registry", "other")))
        .hasMessage("--registry other: use confluent or avro-1124");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records", "0")))
        .hasMessageStartingWith("--records 0");
  }
}
