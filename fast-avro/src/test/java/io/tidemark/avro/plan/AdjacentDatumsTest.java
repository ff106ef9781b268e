package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results of runs, copied to several sinks. */
final class AdjacentDatumsTest {
  private final AdjacentDatums adjacent = new AdjacentDatums();
  private final List<String> copies = new ArrayList<>();
  private final TableDatums results = new TableDatums(16);

  @Test
  void adjacentResultsForOneSinkAreCopiedTogether() {
    DatumSink even = new Sink("even");
    DatumSink odd = new Sink("odd");

    adjacent.append(results, 0, even);
    adjacent.append(results, 1, even);
    adjacent.append(results, 2, odd);
    adjacent.append(results, 3, even);
    adjacent.append(results, 5, even);
    adjacent.flush();
    adjacent.flush();

    assertThat(copies).containsExactly("even 0-2", "odd 2-3", "even 3-4", "even 5-6");
  }

  @Test
  void resultsOfAnotherRunnerAreCopiedSeparately() {
    DatumSink sink = new Sink("all");

    adjacent.append(results, 0, sink);
    adjacent.append(new TableDatums(16), 1, sink);
    adjacent.flush();

    assertThat(copies).containsExactly("all 0-1", "all 1-2");
  }

  /** Notes what is copied. */
  private final class Sink implements DatumSink {
    private final String name;
    private long records;

    Sink(String name) {
      this.name = name;
    }

    @Override
    public void append(BatchRunner runner, SourceDatums datums, int from, int to) {
      throw new AssertionError("no plan is run");
    }

    @Override
    public void append(TableDatums copied, int from, int to) {
      copies.add("%s %d-%d".formatted(name, from, to));
      records += to - from;
    }

    @Override
    public long records() {
      return records;
    }

    @Override
    public long rawBytes() {
      return records;
    }
  }
}
