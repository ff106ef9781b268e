package io.tidemark.connect.pipeline;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A program with two topics in one task: a good one, and one with a {@link Poison}. The good topic
 * must land, whatever the other one does, and in the middle at most twice as slowly as beside an
 * empty topic. The heap is that of its JVM.
 */
final class PoisonedTopics {
  private static final int GOOD = 10_000;
  private static final double SLOWEST = 2;

  /** The number of poisons beside which the same is measured without poison. */
  private static final int PAIRS = 24;

  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"Good\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";

  private static final Poison NONE = new Poison("none", new TreeMap<>(), List.of());

  private PoisonedTopics() {}

  /** {@code arguments}: a directory, the first seed, the number of seeds, and perhaps a kind. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    long seeds = Long.parseLong(arguments[2]);
    int kind = Integer.parseInt(arguments[3]);
    long bad = 0;
    List<Double> ratios = new ArrayList<>();
    for (long seed = first; seed < first + seeds; seed++) {
      OptionalLong plain =
          seed < first + PAIRS
              ? landed(directory.resolve(seed + "-plain"), "poison 0: none", NONE)
              : OptionalLong.of(0);
      Poison poison = Poison.of(seed, kind);
      String what = "poison %d: %s".formatted(seed, poison.kind());
      OptionalLong nanos = landed(directory.resolve(seed + "-poison"), what, poison);
      if (nanos.isEmpty() || plain.isEmpty()) {
        bad++;
      } else if (plain.getAsLong() > 0) {
        ratios.add((double) nanos.getAsLong() / plain.getAsLong());
      }
    }
    ratios.sort(null);
    double ratio = ratios.isEmpty() ? 1 : ratios.get(ratios.size() / 2);
    System.out.printf(
        "poison: %d seeds, %d bad; the good topic took %.2f times as long in the middle, %.2f at most%n",
        seeds, bad, ratio, ratios.isEmpty() ? 1 : ratios.get(ratios.size() - 1));
    boolean slow = ratios.size() == PAIRS && ratio > SLOWEST; // Fewer pairs say too little.
    System.exit(bad == 0 && !slow ? 0 : 1);
  }

  /**
   * Returns how long the good topic took beside the other one; empty if it did not land, then or
   * after the other one was read.
   */
  private static OptionalLong landed(Path directory, String what, Poison poison) {
    FakeTopic good = new FakeTopic("quotes");
    FakeTopic other = new FakeTopic("poison");
    poison.values().forEach(value -> other.produce(0, value));
    produce(good, GOOD);
    OptionalLong nanos = OptionalLong.empty();
    boolean again = false;
    String outcome;
    try (Storage storage = new LocalStorage(directory);
        SchemaRegistry registry = registry(poison);
        TestTask task = task(good, storage, registry)) {
      long begun = System.nanoTime();
      task.open(other, 0);
      task.open(0);
      task.pollUntilLanded(0);
      nanos = OptionalLong.of(System.nanoTime() - begun);
      task.reaches(1_000, () -> task.landed(other, 0));
      produce(good, 1);
      task.pollUntilLanded(0);
      again = true;
      outcome = task.pipeline.load().pausedBecause();
    } catch (Exception | AssertionError e) {
      outcome = e.toString();
    }
    System.out.printf(
        "%s, %d values: %s after %d ms; %.300s%n",
        what,
        poison.values().size(),
        again ? "the good topic landed" : "THE GOOD TOPIC DID NOT LAND",
        nanos.orElse(-1) / 1_000_000,
        outcome);
    return again ? nanos : OptionalLong.empty();
  }

  private static void produce(FakeTopic good, int records) {
    for (int i = 0; i < records; i++) {
      good.produce(0, Poison.framed(1, new byte[] {(byte) (2 * (i % 50))}));
    }
  }

  private static SchemaRegistry registry(Poison poison) throws IOException {
    Map<Integer, String> schemas = new HashMap<>(poison.schemas());
    schemas.put(1, SCHEMA);
    return poison.answers().isEmpty()
        ? new Registry(schemas)
        : new HostileRegistry(schemas, poison.answers());
  }

  private static TestTask task(FakeTopic good, Storage storage, SchemaRegistry registry) {
    return new TestTask(
        good,
        storage,
        registry,
        FramingReader::new,
        PartitionSpec.NONE,
        Optional.empty(),
        1_000,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE.holdingTopics());
  }

  private record Registry(Map<Integer, String> schemas) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(
          id, RegisteredSchema.parse(String.valueOf(schemas.get(((SchemaId.Int32) id).value()))));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
