package io.tidemark.benchmarks.landing.threads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Repeated readings of the CPU time of each thread of a process, from Linux's {@code
 * /proc/PID/task}. Used by one thread.
 *
 * <p>The time of a thread that has ended is that of its last reading. So a thread that lives
 * shortly is missing, entirely or in part: it is in the CPU time of the process alone.
 */
public final class ThreadTimes {
  /** A new thread has the name of the thread that started it until it sets its own. */
  private static final int READINGS_OF_THE_NAME = 3;

  /** The first name of a thread whose later name says more. */
  private static final String UNNAMED = "Thread-";

  private final Path tasks;
  private final Map<String, Seen> live = new HashMap<>();
  private final EnumMap<ThreadKind, Long> ended = new EnumMap<>(ThreadKind.class);
  private final List<Reading> readings = new ArrayList<>();

  /** A reading, with the CPU time of each kind of thread since its start. */
  private record Reading(long nanos, Map<ThreadKind, Long> cpuNanos) {
    Reading {
      cpuNanos = Map.copyOf(cpuNanos);
    }

    long of(ThreadKind kind) {
      return cpuNanos.getOrDefault(kind, 0L);
    }
  }

  private record Seen(String name, int readings, long cpuNanos) {
    boolean isNamed() {
      return readings >= READINGS_OF_THE_NAME && !name.startsWith(UNNAMED);
    }
  }

  private ThreadTimes(Path tasks) {
    this.tasks = tasks;
  }

  /**
   * Returns the readings of a process, none yet.
   *
   * @throws IllegalStateException if the system does not have these files
   */
  public static ThreadTimes ofProcess(long pid) {
    return of(Path.of("/proc/" + pid + "/task"), Long.toString(pid));
  }

  static ThreadTimes of(Path tasks, String firstThread) {
    Path first = tasks.resolve(firstThread).resolve("schedstat");
    if (!Files.exists(first)) {
      throw new IllegalStateException(
          first
              + " does not exist. --threads needs Linux with CONFIG_SCHED_INFO; run without --threads on another system.");
    }
    return new ThreadTimes(tasks);
  }

  /**
   * Reads all threads.
   *
   * @param nanos the present time, of {@link System#nanoTime()}
   */
  public void read(long nanos) throws IOException {
    Set<String> found = new HashSet<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        String id = String.valueOf(thread.getFileName());
        read(thread, Optional.ofNullable(live.get(id)))
            .ifPresent(
                seen -> {
                  found.add(id);
                  live.put(id, seen);
                });
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    live.entrySet()
        .removeIf(
            thread -> {
              boolean gone = !found.contains(thread.getKey());
              if (gone) {
                ended.merge(
                    ThreadKind.of(thread.getValue().name()),
                    thread.getValue().cpuNanos(),
                    Long::sum);
              }
              return gone;
            });
    Map<ThreadKind, Long> sums = new EnumMap<>(ended);
    live.values()
        .forEach(seen -> sums.merge(ThreadKind.of(seen.name()), seen.cpuNanos(), Long::sum));
    readings.add(new Reading(nanos, sums));
  }

  /** Returns a thread's name and CPU time; empty if it has ended. */
  private static Optional<Seen> read(Path thread, Optional<Seen> before) {
    try {
      // CPU time, waiting time and time slices: 250048775 6830013 913
      String times = Files.readString(thread.resolve("schedstat"));
      String name =
          before.isPresent() && before.get().isNamed()
              ? before.get().name()
              : Files.readString(thread.resolve("comm")).strip();
      return Optional.of(
          new Seen(
              name,
              before.map(Seen::readings).orElse(0) + 1,
              Long.parseLong(times.substring(0, times.indexOf(' ')))));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * Returns the CPU time of each kind of thread in nanoseconds, from one time to another,
   * interpolated between readings.
   *
   * @param fromNanos not before the first reading
   * @param toNanos not after the last one
   */
  public Map<ThreadKind, Double> between(long fromNanos, long toNanos) {
    Map<ThreadKind, Double> times = new EnumMap<>(ThreadKind.class);
    for (ThreadKind kind : ThreadKind.values()) {
      times.put(kind, at(toNanos, kind) - at(fromNanos, kind));
    }
    return times;
  }

  private double at(long nanos, ThreadKind kind) {
    for (int i = 1; i < readings.size(); i++) {
      Reading before = readings.get(i - 1);
      Reading after = readings.get(i);
      if (nanos >= before.nanos() && nanos <= after.nanos()) {
        double part = (double) (nanos - before.nanos()) / (after.nanos() - before.nanos());
        return before.of(kind) + part * (after.of(kind) - before.of(kind));
      }
    }
    throw new IllegalStateException(
        "the threads were not read around %d; there are %d readings"
            .formatted(nanos, readings.size()));
  }
}
