package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LandingOptionsTest {
  private static final Path MODULE = Path.of("module");

  @Test
  void plainRunsAreOfOneTopicAndThreeSinks() {
    LandingOptions options = parse();

    assertThat(options.workload().topicNames()).containsExactly("quotes");
    assertThat(options.workload().allTopicPartitions()).isEqualTo(4);
    assertThat(options.configurations())
        .extracting(file -> String.valueOf(file.getFileName()))
        .containsExactly("counting.json", "raw-copy.json", "ours.json");
    assertThat(options.resultName()).isEqualTo("landing");
  }

  @Test
  void workloadsAreAsTheOptionsSay() {
    Workload workload =
        parse(
                "--topics",
                "3",
                "--topic-partitions",
                "5",
                "--hive-partitions",
                "7",
                "--record-bytes",
                "900",
                "--tasks",
                "2",
                "--records",
                "11")
            .workload();

    assertThat(workload)
        .isEqualTo(new Workload("quotes", Workload.Kind.PLAIN, 11, 3, 5, 7, 900, 2));
    assertThat(workload.topicNames()).containsExactly("quotes_1", "quotes_2", "quotes_3");
    assertThat(workload.allTopicPartitions()).isEqualTo(15);
  }

  @Test
  void routedRunsHaveFilesOfTheirOwn() {
    assertThat(parse("--routed", "record").resultName()).isEqualTo("landing-by-record");
    assertThat(parse("--routed", "field").resultName()).isEqualTo("landing-by-field");
  }

  @Test
  void secureRunsAreOfTheSinksThatCanLogIn() {
    LandingOptions options = parse("--secure", "--records", "11");

    assertThat(options.resultName()).isEqualTo("landing-secure");
    assertThat(options.configurations())
        .extracting(file -> String.valueOf(file.getFileName()))
        .containsExactly("counting.json", "ours.json");
  }

  @Test
  void curvesAreWalkedUpToAPoint() {
    LandingOptions options = parse("--growth", "topics", "--up-to", "10");

    assertThat(options.resultName()).isEqualTo("growth-topics");
    assertThat(options.growth().orElseThrow().workloads(options.workload(), options.most()))
        .extracting(Workload::topics, Workload::allTopicPartitions)
        .containsExactly(tuple(1, 100), tuple(10, 100));
  }

  @Test
  void curvesHaveARawCopyAndCountFiles() {
    LandingOptions options = parse("--growth", "hive-partitions");

    assertThat(options.configurations())
        .extracting(file -> String.valueOf(file.getFileName()))
        .containsExactly("counting.json", "raw-copy.json", "ours.json");
    assertThat(options.watch()).isEqualTo(new Trial.Watch(true, false, false));
    assertThat(options.heapMegabytes()).isEqualTo(1_024);
  }

  @Test
  void topicPartitionsGrowToFiveThousandOfFourTasks() {
    LandingOptions options = parse("--growth", "topic-partitions");

    assertThat(options.growth().orElseThrow().workloads(options.workload(), options.most()))
        .extracting(Workload::allTopicPartitions, Workload::tasks)
        .containsExactly(
            tuple(1, 1), tuple(10, 1), tuple(100, 1), tuple(1_000, 1), tuple(5_000, 4));
    assertThat(options.watch()).isEqualTo(new Trial.Watch(true, true, false));
    assertThat(options.heapMegabytes()).isEqualTo(2_048);
    assertThat(parse("--growth", "topic-partitions", "--up-to", "1000").heapMegabytes())
        .isEqualTo(1_024);
  }

  @Test
  void threadsAreReadOnRequest() {
    assertThat(parse().watch()).isEqualTo(new Trial.Watch(false, false, false));
    assertThat(parse("--threads").watch()).isEqualTo(new Trial.Watch(false, false, true));
  }

  @Test
  void flushesAreOfTidemarkAtARate() {
    LandingOptions options = parse("--flushes", "1,10,60", "--rate", "5000");

    assertThat(options.flushes())
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));
    assertThat(options.rate()).isEqualTo(5_000);
    assertThat(options.rounds()).isEqualTo(1);
    assertThat(options.resultName()).isEqualTo("landing-flushes");
    assertThat(options.configurations())
        .extracting(file -> String.valueOf(file.getFileName()))
        .containsExactly("counting.json", "ours.json");
    assertThat(parse("--flushes", "1").rate()).isEqualTo(10_000);
    assertThat(parse().rounds()).isEqualTo(3);
  }

  @Test
  void flushesAreMeasuredForWholeIntervalsAndAtLeastTwo() {
    assertThat(FlushTrial.measured(Duration.ofSeconds(1), 600_000, 10_000)).hasSeconds(60);
    assertThat(FlushTrial.measured(Duration.ofSeconds(7), 600_000, 10_000)).hasSeconds(63);
    assertThat(FlushTrial.measured(Duration.ofMinutes(10), 600_000, 10_000)).hasMinutes(20);
    assertThat(FlushTrial.measured(Duration.ZERO, 600_000, 10_000)).hasSeconds(60);
  }

  @Test
  void whatMakesNoSenseIsRefusedByItsName() {
    assertThatThrownBy(() -> parse("--rouded", "field")).hasMessageContaining("--rouded");
    assertThatThrownBy(() -> parse("--routed", "topic")).hasMessageContaining("record or field");
    assertThatThrownBy(() -> parse("--routed", "field", "--rolling"))
        .hasMessageContaining("one of them");
    assertThatThrownBy(() -> parse("--growth", "tasks")).hasMessageContaining("hive-partitions");
    assertThatThrownBy(() -> parse("--growth", "topics", "--tasks", "2"))
        .hasMessageContaining("of its own");
    assertThatThrownBy(() -> parse("--beside", "flume")).hasMessageContaining("iceberg");
    assertThatThrownBy(() -> parse("--secure", "--rolling")).hasMessageContaining("--secure");
    assertThatThrownBy(() -> parse("--secure", "--growth", "topics"))
        .hasMessageContaining("--secure");
    assertThatThrownBy(() -> parse("--tasks")).hasMessageContaining("needs a value");
    assertThatThrownBy(() -> parse("--tasks", "two")).hasMessageContaining("a number");
    assertThatThrownBy(() -> parse("--tasks", "0")).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> parse("--rounds", "0")).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> parse("--flushes", "1,ten")).hasMessageContaining("1,10,60");
    assertThatThrownBy(() -> parse("--flushes", "0")).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> parse("--flushes", "1", "--growth", "topics"))
        .hasMessageContaining("of its own");
    assertThatThrownBy(() -> parse("--flushes", "1", "--threads"))
        .hasMessageContaining("--threads");
    assertThatThrownBy(() -> parse("--rate", "100")).hasMessageContaining("--flushes");
  }

  private static LandingOptions parse(String... arguments) {
    return LandingOptions.parse(List.of(arguments), MODULE);
  }
}
