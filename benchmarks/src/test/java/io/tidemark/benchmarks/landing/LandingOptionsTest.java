package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
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
  }

  private static LandingOptions parse(String... arguments) {
    return LandingOptions.parse(List.of(arguments), MODULE);
  }
}
