package io.tidemark.benchmarks.articles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FigureTest {

  @Test
  void theMedianIsTheMiddleOfTheSortedRounds() {
    assertThat(figure(5., 1., 3.).median()).isEqualTo(3);
    assertThat(figure(4., 1., 2., 30.).median()).isEqualTo(3);
  }

  @Test
  void lowestAndHighestAreThoseOfAllRounds() {
    assertThat(figure(5., 1., 3.).lowest()).isEqualTo(1);
    assertThat(figure(5., 1., 3.).highest()).isEqualTo(5);
  }

  @Test
  void aFigureHasARound() {
    assertThatThrownBy(FigureTest::figure).hasMessageContaining("no round");
  }

  @Test
  void aTableReadsTheSameOnTheTerminalAndInMarkdown() {
    var table = new Table("Writers", "writer", "ms");
    table.row("stock", "1,200");

    assertThat(table.text()).isEqualTo("Writers\n  writer     ms\n  stock   1,200\n");
    assertThat(table.markdown())
        .isEqualTo("## Writers\n\n| writer | ms |\n|---|--:|\n| stock | 1,200 |\n");
  }

  private static Figure figure(Double... rounds) {
    return new Figure("group", "case", "ours", "ms", List.of(rounds), OptionalDouble.empty());
  }
}
