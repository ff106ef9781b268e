package io.tidemark.connect.faults;

import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.store.batch.DeliveredRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A dead letter topic. It answers after a while, refuses, or never answers. */
final class SimulatedDeadLetters {
  private static final long ANSWERS_WITHIN_MS = 50;

  private final Simulation simulation;
  private final Set<String> taken = new HashSet<>();
  private final Map<SimulatedProcess, List<Sent>> sent = new HashMap<>();

  private record Sent(long atMs, CompletableFuture<String> answer) {}

  SimulatedDeadLetters(Simulation simulation) {
    this.simulation = simulation;
  }

  /** The part of a record that a task keeps until the record is known to land. */
  record Kept(String key) implements DeliveredRecord {
    @Override
    public int keptBytes() {
      return key.length();
    }
  }

  /** The topic through the calls of a process. */
  DeadLetterQueue of(SimulatedProcess process) {
    return rejected -> {
      if (!(rejected.delivered() instanceof Kept kept)) {
        throw new IllegalArgumentException(rejected + " was not kept");
      }
      var answer = new CompletableFuture<String>();
      sent.computeIfAbsent(process, by -> new ArrayList<>())
          .add(new Sent(simulation.nowMs(), answer));
      try {
        String key =
            process.change(
                "letters send " + rejected.place(),
                () -> {
                  taken.add(kept.key());
                  return kept.key();
                });
        simulation.after(
            simulation.random().nextLong(ANSWERS_WITHIN_MS), process, () -> answer.complete(key));
      } catch (IOException e) {
        switch (simulation.random().nextInt(3)) {
          case 0 -> throw new IllegalStateException(e);
          case 1 -> answer.completeExceptionally(e);
          default -> {} // Kafka never answers
        }
      }
      return answer;
    };
  }

  /** True if a process has waited for an answer for longer than this, while it was awake. */
  boolean unanswered(SimulatedProcess process, long ms) {
    return sent.getOrDefault(process, List.of()).stream()
        .anyMatch(each -> !each.answer().isDone() && simulation.nowMs() - each.atMs() > ms);
  }

  /** True if the topic contains the record. */
  boolean has(SourceRecord record) {
    return taken.contains(record.key());
  }
}
