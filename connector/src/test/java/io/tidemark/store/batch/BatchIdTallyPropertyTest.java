package io.tidemark.store.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class BatchIdTallyPropertyTest {
  private static final List<Optional<String>> TABLES =
      List.of(Optional.of("default.a"), Optional.of("default.b"));

  /** The final class of a record. */
  private enum Fate {
    LANDED,
    DEAD_LETTER_AT_ONCE,
    DEAD_LETTER_LATER,
    SKIPPED
  }

  private record Taken(String id, Optional<String> table, Fate fate) {}

  @Property(tries = 200)
  void countsAreThoseOfTheRecordsHoweverLateTheirFateIsKnown(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int records,
      @ForAll @IntRange(min = 1, max = 1_200) int ids) {
    Random random = new Random(seed);
    List<Taken> taken = new ArrayList<>();
    BatchIdTally tally = new BatchIdTally();
    List<BatchIdCounter> deadLater = new ArrayList<>();
    for (int i = 0; i < records * (ids > 400 ? 8 : 1); i++) {
      Taken record =
          new Taken(
              "batch-" + random.nextInt(ids),
              TABLES.get(random.nextInt(2)),
              Fate.values()[random.nextInt(4)]);
      taken.add(record);
      switch (record.fate()) {
        case SKIPPED -> tally.skip(record.id());
        case DEAD_LETTER_AT_ONCE ->
            tally.counter(record.id(), Optional.empty()).ifPresent(BatchIdCounter::deadLetter);
        default -> {
          Optional<BatchIdCounter> counter = tally.counter(record.id(), record.table());
          counter.ifPresent(BatchIdCounter::count);
          if (record.fate() == Fate.DEAD_LETTER_LATER) {
            counter.ifPresent(deadLater::add);
          }
        }
      }
    }
    Collections.shuffle(deadLater, random);
    deadLater.forEach(BatchIdCounter::deadLetter);

    assertThat(byIdAndTable(tally.counts())).isEqualTo(recount(taken));
    assertThat(tally.counts().total()).isEqualTo(taken.size());
  }

  private static Map<Object, List<Long>> byIdAndTable(BatchIdCounts counts) {
    Map<Object, List<Long>> found = new HashMap<>();
    for (BatchIdCount count : counts.counts()) {
      found.put(
          List.of(count.id(), count.table()),
          List.of(count.landed(), count.deadLettered(), count.skipped()));
    }
    if (counts.mixed() > 0) {
      found.put("mixed", List.of(counts.mixed()));
    }
    return found;
  }

  /** The records of the first ids by class and table, and of all other ids together. */
  private static Map<Object, List<Long>> recount(List<Taken> taken) {
    List<String> first =
        taken.stream().map(Taken::id).distinct().limit(BatchIdCounts.MAX_IDS).toList();
    Map<Object, List<Long>> expected = new HashMap<>();
    Map<String, List<Taken>> byId = new HashMap<>();
    taken.forEach(each -> byId.computeIfAbsent(each.id(), id -> new ArrayList<>()).add(each));
    long mixed = taken.size();
    for (String id : first) {
      List<Taken> own = byId.getOrDefault(id, List.of());
      mixed -= own.size();
      for (Optional<String> table : TABLES) {
        long landed =
            own.stream()
                .filter(each -> each.fate() == Fate.LANDED && each.table().equals(table))
                .count();
        if (landed > 0) {
          expected.put(List.of(id, table), List.of(landed, 0L, 0L));
        }
      }
      long skipped = own.stream().filter(each -> each.fate() == Fate.SKIPPED).count();
      long landed = own.stream().filter(each -> each.fate() == Fate.LANDED).count();
      if (landed < own.size()) {
        expected.put(
            List.of(id, Optional.empty()), List.of(0L, own.size() - landed - skipped, skipped));
      }
    }
    if (mixed > 0) {
      expected.put("mixed", List.of(mixed));
    }
    return expected;
  }
}
