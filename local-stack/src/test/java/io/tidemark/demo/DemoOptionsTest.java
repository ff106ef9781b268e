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
  }

  @Test
  void everyOptionIsRead() {
    DemoOptions options =
        DemoOptions.parse(List.of("--keep", "--records", "5", "--terminal", "--root", "/tidemark"));
    assertThat(options).isEqualTo(new DemoOptions(5, true, true, Path.of("/tidemark")));
  }

  @Test
  void whatIsNoOptionIsNamed() {
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--many"))).hasMessageStartingWith("--many");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records"))).hasMessageContaining("value");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records", "all")))
        .hasMessageStartingWith("--records all");
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--records", "0")))
        .hasMessageStartingWith("--records 0");
  }
}
