package io.tidemark.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void aRatioIsTheirTimeDividedByOurs() {
    List<Target> targets =
        Target.of(List.of(copy(Contender.OURS, 100, 3), copy(Contender.STOCK, 2_600, 3_000)));

    assertThat(targets)
        .anySatisfy(
            target -> {
              assertThat(target.claim())
                  .isEqualTo("check-copy of StockQuote-78, null, against stock");
              assertThat(target.value()).isEqualTo(26);
              assertThat(target.met()).isTrue();
            });
  }

  @Test
  void aBoundIsMissedByLessThanIt() {
    List<Target> targets =
        Target.of(List.of(copy(Contender.OURS, 100, 17), copy(Contender.STOCK, 2_400, 3_000)));

    assertThat(targets).hasSize(2).noneMatch(Target::met);
  }

  @Test
  void aTargetThatWasNotMeasuredIsNotToldOf() {
    assertThat(Target.of(List.of(copy(Contender.STOCK, 2_400, 3_000)))).isEmpty();
  }

  private static Measurement copy(Contender contender, double ns, double allocated) {
    return Measurement.of(
        new Cell("StockQuote-78", Work.CHECK_COPY, contender, "null", 1),
        474,
        List.of(new Measurement.Fork(ns, allocated)));
  }
}
