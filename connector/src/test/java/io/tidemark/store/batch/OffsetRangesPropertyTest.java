package io.tidemark.store.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

final class OffsetRangesPropertyTest {

  @Property(tries = 300)
  void rangesHoldExactlyTheirOffsetsAndComeBackFromText(
      @ForAll Set<@LongRange(min = 0, max = 60) Long> offsets,
      @ForAll @LongRange(max = 60) long at) {
    OffsetRanges ranges = OffsetRanges.of(offsets.stream().mapToLong(Long::longValue).toArray());

    assertThat(offsets(ranges)).containsExactly(offsets.stream().sorted().toArray(Long[]::new));
    assertThat(ranges.size()).isEqualTo(offsets.size());
    assertThat(OffsetRanges.parse(ranges.toString())).isEqualTo(ranges);
    assertThat(ranges.below(at).size() + ranges.from(at).size()).isEqualTo(ranges.size());
    assertThat(offsets(ranges.below(at)).filter(offset -> offset >= at)).isEmpty();
    assertThat(offsets(ranges.from(at)).filter(offset -> offset < at)).isEmpty();
  }

  @Property(tries = 300)
  void collectorGathersWhatOffsetsInAnyOrderGive(
      @ForAll Set<@LongRange(min = 0, max = 60) Long> offsets) {
    OffsetCollector collector = new OffsetCollector();
    offsets.stream().sorted().forEach(offset -> collector.add(offset, offset + 1));

    assertThat(collector.ranges())
        .isEqualTo(OffsetRanges.of(offsets.stream().mapToLong(Long::longValue).toArray()));
  }

  private static LongStream offsets(OffsetRanges ranges) {
    return ranges.ranges().stream().flatMapToLong(r -> LongStream.range(r.first(), r.next()));
  }
}
