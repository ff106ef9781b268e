package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A fixture after a task of this build has opened it and landed the later records. */
final class ReopenedFixture {
  private final LogFixture fixture;
  private final FixtureWorld world;
  private final Set<Integer> partitions;
  private final SortedMap<String, List<String>> rows = new TreeMap<>();

  private ReopenedFixture(LogFixture fixture) throws IOException {
    this.fixture = fixture;
    this.world = FixtureWorld.of(fixture);
    this.partitions = fixture.description().kafka().partitions().keySet();
    fixture.description().rows().forEach((place, keys) -> rows.put(place, new ArrayList<>(keys)));
  }

  /** Opens a fixture, lands the later records, and checks its table, its logs and its catalog. */
  static void check(LogFixture fixture) throws Exception {
    ReopenedFixture reopened = new ReopenedFixture(fixture);
    Map<Integer, Long> numbers = reopened.lastNumbers();
    reopened.land();
    reopened.everyRowIsThereOnce();
    reopened.hivePartitionsAreRegistered();
    reopened.nothingIsLeft();
    reopened.entriesAreUnchanged();
    for (Map.Entry<Integer, Long> former : numbers.entrySet()) {
      reopened.logGoesOn(former.getKey(), former.getValue());
    }
  }

  private Map<Integer, Long> lastNumbers() throws Exception {
    Map<Integer, Long> numbers = new TreeMap<>();
    for (int partition : partitions) {
      numbers.put(partition, world.log(partition).last().orElseThrow().number());
    }
    return numbers;
  }

  private void land() {
    for (LogFixture.Later later : fixture.description().later()) {
      world.topic.produce(later.partition(), Base64.getDecoder().decode(later.value()));
      rows.computeIfAbsent(later.hivePartition(), place -> new ArrayList<>()).add(later.key());
    }
    int[] all = partitions.stream().mapToInt(Integer::intValue).toArray();
    try (TestTask task = world.task()) {
      task.open(all);
      task.pollUntilLanded(all);
      task.pollUntil(
          () ->
              world.staged() == 0
                  && world.catalog.partitions.containsAll(hivePartitions())
                  && partitions.stream().allMatch(world::folded));
    }
  }

  private Set<String> hivePartitions() {
    Set<String> places = new TreeSet<>(rows.keySet());
    places.remove("");
    return places;
  }

  private void everyRowIsThereOnce() throws IOException {
    List<String> all = new ArrayList<>();
    for (Map.Entry<String, List<String>> place : rows.entrySet()) {
      all.addAll(place.getValue());
      if (!place.getKey().isEmpty()) {
        assertThat(LandedRows.keys(world.store, world.table().child(place.getKey())))
            .as("rows in %s", place.getKey())
            .containsExactlyInAnyOrderElementsOf(place.getValue());
      }
    }
    assertThat(LandedRows.keys(world.store, world.table()))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(world.deadLetters.taken).isEmpty();
  }

  private void hivePartitionsAreRegistered() {
    assertThat(world.catalog.partitions).isEqualTo(hivePartitions());
  }

  private void nothingIsLeft() throws IOException {
    assertThat(StoredTree.files(world.store))
        .noneMatch(
            path ->
                (path.contains("/.staging/") && !path.contains("/published+"))
                    || path.endsWith(".tmp"));
  }

  /** The log still begins with the entries of the fixture, unless it was folded since. */
  private void entriesAreUnchanged() {
    SortedMap<String, byte[]> now = world.files();
    fixture
        .entries()
        .forEach(
            (path, bytes) -> {
              if (now.containsKey(path)) {
                assertThat(Arrays.equals(now.get(path), bytes)).as(path).isTrue();
              }
            });
  }

  /** The numbers have no gap: this is checked when the log is read. */
  private void logGoesOn(int partition, long former) throws Exception {
    List<NumberedEntry<CommitEntry>> entries = world.log(partition).after(0);
    LogState state = entries.get(0).entry().state();
    for (NumberedEntry<CommitEntry> entry : entries.subList(1, entries.size())) {
      assertFollows(state, entry);
      state = entry.entry().state();
    }
    assertThat(state.next()).isEqualTo(world.topic.end(partition));
    assertThat(state.counts().total()).isEqualTo(state.next() - state.first());
    assertThat(entries)
        .filteredOn(entry -> entry.number() > former)
        .extracting(entry -> entry.entry().getClass().getSimpleName())
        .startsWith("Claim", "Batch");
  }

  private static void assertFollows(LogState before, NumberedEntry<CommitEntry> numbered) {
    LogState after = numbered.entry().state();
    Generation generation = after.generation();
    LogState expected =
        numbered
            .entry()
            .match(
                claim ->
                    before.generation().equals(generation)
                        ? before
                        : before.nextGeneration(generation.topic()),
                batch -> after(before, batch.range(), batch.counts()),
                skip ->
                    after(before, skip.range(), new RecordCounts(0, 0, skip.range().size(), 0, 0)),
                checkpoint -> before,
                adopted -> before);
    assertThat(comparable(after)).as("state after %s", numbered).isEqualTo(comparable(expected));
  }

  /** The state without the parts that every owner learns by itself. */
  private static LogState comparable(LogState state) {
    return new LogState(
        state.generation(),
        state.first(),
        state.next(),
        state.counts(),
        0,
        0,
        LogState.UNKNOWN,
        state.former(),
        state.requires(),
        state.unknown());
  }

  private static LogState after(LogState before, OffsetRange range, RecordCounts counts) {
    if (before.next() != LogState.UNKNOWN) {
      assertThat(range.first()).isEqualTo(before.next());
    }
    return before.after(range, counts);
  }
}
