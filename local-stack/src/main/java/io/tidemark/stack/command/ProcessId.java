package io.tidemark.stack.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of this machine, also after its end.
 *
 * <p>Systems give the ids of ended processes to new ones. The time of the start tells them apart.
 *
 * @param pid the id that the operating system gave
 * @param started when it started, as the operating system says it
 */
record ProcessId(long pid, Instant started) {

  /** Two JVMs may read the start of one process with a difference, when the clock was set. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  static ProcessId of(ProcessHandle process) {
    return new ProcessId(process.pid(), startOf(process));
  }

  /** The running process; empty if it has ended, also if another has its id now. */
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
