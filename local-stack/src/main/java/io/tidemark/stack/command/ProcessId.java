package io.tidemark.stack.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The identity of a process of this machine, even after its end.
 *
 * <p>Systems reuse the ids of ended processes. The time of the start distinguishes the processes.
 *
 * @param pid the operating system's id
 * @param started the time of its start, by the operating system
 */
record ProcessId(long pid, Instant started) {

  /** If the clock was set, two JVMs may read different starts of one process. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  static ProcessId of(ProcessHandle process) {
    return new ProcessId(process.pid(), startOf(process));
  }

  /** Returns the running process; empty if it has ended, even if another process has its id now. */
  Optional<ProcessHandle> running() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                Duration.between(started, startOf(process)).abs().compareTo(CLOCK_TOLERANCE) < 0);
  }

  private static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }
}
