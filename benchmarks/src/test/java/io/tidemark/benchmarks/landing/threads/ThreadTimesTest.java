package io.tidemark.benchmarks.landing.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path process;
  private Path tasks;

  @BeforeEach
  void create() throws IOException {
    tasks = process.resolve("task");
    thread(7, "java", 0);
  }

  @Test
  void namesAreOfTheThreadsOfAWorkerAsLinuxCutsThem() {
    Map.of(
            "task-thread-quo", ThreadKind.TASK,
            "tidemark-stage-", ThreadKind.STAGING,
            "tidemark-store-", ThreadKind.STORE,
            "tidemark-step-q", ThreadKind.COMMIT,
            "raw-compress-1", ThreadKind.STAGING,
            "DataStreamer fo", ThreadKind.HDFS,
            "ResponseProcess", ThreadKind.HDFS,
            "C2 CompilerThre", ThreadKind.COMPILER,
            "VM Thread", ThreadKind.COLLECTOR,
            "qtp1234-56", ThreadKind.OTHERS)
        .forEach((name, kind) -> assertThat(ThreadKind.of(name)).as(name).isEqualTo(kind));
  }

  @Test
  void timesAreAddedUpByKindAndInterpolated() throws IOException {
    thread(8, "tidemark-stage-", 100);
    thread(9, "tidemark-stage-", 1_000);
    ThreadTimes times = ThreadTimes.of(tasks, "7");
    times.read(0);
    thread(8, "tidemark-stage-", 300);
    thread(9, "tidemark-stage-", 1_400);
    times.read(10 * SECOND);

    assertThat(times.between(0, 10 * SECOND)).containsEntry(ThreadKind.STAGING, 600.0);
    assertThat(times.between(5 * SECOND, 10 * SECOND)).containsEntry(ThreadKind.STAGING, 300.0);
    assertThat(times.between(0, 10 * SECOND)).containsEntry(ThreadKind.TASK, 0.0);
  }

  @Test
  void threadsThatHaveEndedKeepTheTimeOfTheirLastReading() throws IOException {
    ThreadTimes times = ThreadTimes.of(tasks, "7");
    times.read(0);
    thread(8, "DataStreamer fo", 70);
    times.read(SECOND);
    Files.delete(tasks.resolve("8/comm"));
    Files.delete(tasks.resolve("8/schedstat"));
    Files.delete(tasks.resolve("8"));
    times.read(2 * SECOND);

    assertThat(times.between(0, 2 * SECOND)).containsEntry(ThreadKind.HDFS, 70.0);
    assertThat(times.between(SECOND, 2 * SECOND)).containsEntry(ThreadKind.HDFS, 0.0);
  }

  @Test
  void newThreadsMayStillHaveTheNameOfAnother() throws IOException {
    thread(8, "task-thread-quo", 10);
    ThreadTimes times = ThreadTimes.of(tasks, "7");
    times.read(0);
    thread(8, "DataStreamer fo", 40);
    times.read(SECOND);

    assertThat(times.between(SECOND / 2, SECOND)).containsEntry(ThreadKind.HDFS, 20.0);
  }

  @Test
  void systemsWithoutTheFilesAreRefused() {
    assertThatThrownBy(() -> ThreadTimes.of(tasks, "8"))
        .hasMessageContaining("--threads needs Linux");
  }

  private void thread(int id, String name, long cpuNanos) throws IOException {
    Path directory = Files.createDirectories(tasks.resolve(Integer.toString(id)));
    Files.writeString(directory.resolve("comm"), name + "\n");
    Files.writeString(directory.resolve("schedstat"), cpuNanos + " 12 3\n");
  }
}
