package io.tidemark.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.registry.LookupContender;
import io.tidemark.benchmarks.registry.Question;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookupRoundsTest {

  @Test
  void forksTellTimesAndTheHostTellsRequests(@TempDir Path directory) throws Exception {
    var cell = new LookupCell(Question.ONE_COLD_ID, LookupContender.OURS);

    List<LookupMeasurement> measured = new LookupRounds(directory).measure(List.of(cell), 1);

    assertThat(measured)
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.cell()).isEqualTo(cell);
              assertThat(each.nsPerLookup()).isPositive();
              assertThat(each.bytesAllocatedPerLookup()).isPositive();
              assertThat(each.requests()).hasValue(1);
              assertThat(each.forks()).isEqualTo(1);
              assertThat(Target.ofLookups(measured)).allMatch(Target::met);
            });
  }

  @Test
  void onlyOursIsAskedForItsCopy() {
    assertThat(LookupCell.all())
        .contains(new LookupCell(Question.COPIED_IDS, LookupContender.OURS_AVRO_1124))
        .doesNotContain(new LookupCell(Question.COPIED_IDS, LookupContender.SCHEMA_REPO_CLIENT))
        .contains(new LookupCell(Question.HIT, LookupContender.SCHEMA_REPO_CLIENT));
  }
}
