package io.tidemark.benchmarks.articles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArticleOptionsTest {

  @Test
  void allOptionsAreRead() {
    ArticleOptions options =
        ArticleOptions.parse(
            List.of("--quick", "--hdfs", "--terminal", "--rounds", "5", "--results", "out"));

    assertThat(options.quick()).isTrue();
    assertThat(options.hdfs()).isTrue();
    assertThat(options.terminal()).isTrue();
    assertThat(options.rounds()).contains(5);
    assertThat(options.results()).contains(Path.of("out"));
  }

  @Test
  void withoutOptionsTheRunIsWholeAndWithoutHdfs() {
    ArticleOptions options = ArticleOptions.parse(List.of());

    assertThat(options.quick()).isFalse();
    assertThat(options.hdfs()).isFalse();
    assertThat(options.rounds()).isEmpty();
    assertThat(options.budget()).hasMinutes(9);
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    assertThatThrownBy(() -> ArticleOptions.parse(List.of("--fast")))
        .hasMessageContaining("--fast is not an option");
    assertThatThrownBy(() -> ArticleOptions.parse(List.of("--rounds")))
        .hasMessageContaining("--rounds needs a value");
    assertThatThrownBy(() -> ArticleOptions.parse(List.of("--rounds", "0")))
        .hasMessageContaining("at least 1 is needed");
    assertThatThrownBy(() -> ArticleOptions.parse(List.of("--rounds", "many")))
        .hasMessageContaining("a number is needed");
  }
}
