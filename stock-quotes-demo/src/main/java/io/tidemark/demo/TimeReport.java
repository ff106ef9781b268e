package io.tidemark.demo;

import io.tidemark.stack.ProcessBeans;
import io.tidemark.stack.ServerProcess;
import java.io.IOException;

/**
 * Reports how a task's time divides into Connect, the connector, the codec and HDFS, from the
 * connector's MBean, and the worker's other CPU time between two readings. Used by one thread.
 */
final class TimeReport {

  private static final String PROCESS = "java.lang:type=OperatingSystem";

  private final ServerProcess worker;
  private final String task;
  private final Screen screen;
  private final double processSecondsBefore;

  /** Takes the first reading, before the connector is deployed. */
  TimeReport(ServerProcess worker, String connector, Screen screen) throws IOException {
    this.worker = worker;
    this.task = "tidemark.connect:type=task-metrics,connector=" + connector + ",*";
    this.screen = screen;
    try (ProcessBeans beans = worker.beans()) {
      this.processSecondsBefore = seconds(beans, PROCESS, "ProcessCpuTime");
    }
  }

  /**
   * Takes the second reading and shows the difference.
   *
   * @param codec the name of the files' codec
   */
  void show(String codec) throws IOException {
    try (ProcessBeans beans = worker.beans()) {
      show(beans, codec);
    }
  }

  private void show(ProcessBeans beans, String codec) throws IOException {
    double put = seconds(beans, task, "PutCpuNanos");
    double framework = seconds(beans, task, "TaskThreadCpuNanos") - put;
    double staging = seconds(beans, task, "StagingCpuNanos");
    double busy = seconds(beans, task, "StagingNanos");
    // The codec's share of the CPU time equals its share of the elapsed time of the busy threads.
    double compressing = busy == 0 ? 0 : staging * seconds(beans, task, "CodecNanos") / busy;
    double commit = seconds(beans, task, "CommitCpuNanos");
    double store = seconds(beans, task, "StoreCpuNanos");
    double ours = put + staging - compressing + commit;
    double whole = framework + ours + compressing + store;
    double rest = seconds(beans, PROCESS, "ProcessCpuTime") - processSecondsBefore - whole;

    screen.line("CPU time of landing the records, %.2f s over all threads:", whole);
    row("framework", framework, whole, "the task's thread outside put(): consumer, SinkRecords");
    row(
        "Tidemark",
        ours,
        whole,
        "put() %.2f s, checking and copying %.2f s, log, publishing, registering %.2f s"
            .formatted(put, staging - compressing, commit));
    row("codec", compressing, whole, codec + ", in the threads that check and copy");
    row("HDFS", store, whole, "its client, in the threads that write and close files");
    screen.line(
        "other CPU time of the worker, %.1f s: JIT compiler, garbage collector, Connect's and"
            + " HDFS's own threads",
        Math.max(0, rest));
    screen.line(
        "waiting time, summed over threads: %.1f s for HDFS's writes, %.1f s for log, publishing"
            + " and registering; %.1f s paused by a limit",
        seconds(beans, task, "StoreNanos") - store,
        seconds(beans, task, "CommitNanos") - commit,
        sum(beans, task, "HeldMs") / 1e3);
  }

  private void row(String name, double seconds, double whole, String meaning) {
    screen.line("  %-9s  %6.2f s  %3.0f %%  %s", name, seconds, 100 * seconds / whole, meaning);
  }

  private static double seconds(ProcessBeans beans, String pattern, String attribute)
      throws IOException {
    return sum(beans, pattern, attribute) / 1e9;
  }

  private static double sum(ProcessBeans beans, String pattern, String attribute)
      throws IOException {
    return beans.read(pattern, attribute).stream().mapToDouble(Double::doubleValue).sum();
  }
}
