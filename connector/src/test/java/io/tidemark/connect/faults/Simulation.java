package io.tidemark.connect.faults;

import io.tidemark.store.MonotonicClock;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A world of processes in one thread. Ready work runs in an order that a seed decides, and time
 * passes when no work is ready. Work is interrupted only if it {@linkplain #sleep sleeps} in a
 * call. Then other work runs in its place until it wakes.
 */
final class Simulation {
  static final long BEGIN_MS = 1_795_000_000_000L;

  /**
   * The limit of sleeping processes. Sleeps are nested calls, so with many of them the first
   * process would hardly wake.
   */
  private static final int SLEEPERS = 3;

  private final Random random;
  private final List<Work> ready = new ArrayList<>();
  private final PriorityQueue<Later> later = new PriorityQueue<>();
  private long nowMs = BEGIN_MS;
  private long scheduled;
  private long calls;
  private int sleepers;
  private boolean clocksSet;

  Simulation(long seed) {
    random = new Random(seed);
  }

  /** Work of a process, or of the world if there is none. */
  private record Work(@Nullable SimulatedProcess process, Runnable run) {
    boolean canRun() {
      return process == null || process.awake();
    }
  }

  private record Later(long atMs, long order, Work work) implements Comparable<Later> {
    @Override
    public int compareTo(Later other) {
      return atMs == other.atMs ? Long.compare(order, other.order) : Long.compare(atMs, other.atMs);
    }
  }

  Random random() {
    return random;
  }

  long nowMs() {
    return nowMs;
  }

  /** A clock that begins at 0 with the world. */
  MonotonicClock monotonic() {
    return () -> nowMs - BEGIN_MS;
  }

  /** A clock that is ahead of the world's time, or behind it if negative. */
  Clock wall(LongSupplier aheadMs) {
    InstantSource shown = () -> Instant.ofEpochMilli(nowMs + aheadMs.getAsLong());
    return shown.withZone(ZoneOffset.UTC);
  }

  /** Notes that the clock of a process was set. */
  void clockWasSet() {
    clocksSet = true;
  }

  /** True if the clock of a process was set: the clocks of the processes may differ. */
  boolean clocksSet() {
    return clocksSet;
  }

  /** The number of the next call of any process to any service, from 0. */
  long nextCall() {
    return calls++;
  }

  /** The number of calls so far. */
  long calls() {
    return calls;
  }

  void soon(SimulatedProcess process, Runnable run) {
    ready.add(new Work(process, run));
  }

  void after(long pauseMs, SimulatedProcess process, Runnable run) {
    later.add(new Later(nowMs + pauseMs, scheduled++, new Work(process, run)));
  }

  /** Lets the world itself do something later, with the processes that exist then. */
  void after(long pauseMs, Runnable run) {
    later.add(new Later(nowMs + pauseMs, scheduled++, new Work(null, run)));
  }

  /** Runs what is ready until a time has passed. */
  void run(long ms) {
    boolean[] over = {false};
    after(ms, () -> over[0] = true);
    while (!over[0]) {
      step();
    }
  }

  /** Lets a process sleep for a time, in the middle of its work. */
  void sleep(SimulatedProcess process, long ms) {
    if (sleepers == SLEEPERS) {
      return;
    }
    sleepers++;
    process.fallAsleep();
    run(ms);
    process.wake();
    sleepers--;
  }

  /** Runs all ready work of a process, and none of other processes. */
  void drain(SimulatedProcess process) {
    for (int i = 0; i < ready.size(); ) {
      if (ready.get(i).process() == process) {
        ready.remove(i).run().run();
        i = 0;
      } else {
        i++;
      }
    }
  }

  /** Runs one piece of work. */
  private void step() {
    while (true) {
      while (!later.isEmpty() && later.peek().atMs() <= nowMs) {
        ready.add(later.remove().work());
      }
      ready.removeIf(work -> work.process() != null && work.process().dead());
      long able = ready.stream().filter(Work::canRun).count();
      if (able > 0) {
        takeReady(random.nextInt((int) able)).run().run();
        return;
      }
      nowMs = later.element().atMs();
    }
  }

  private Work takeReady(int number) {
    int left = number;
    for (int i = 0; ; i++) {
      if (ready.get(i).canRun() && left-- == 0) {
        return ready.remove(i);
      }
    }
  }
}
