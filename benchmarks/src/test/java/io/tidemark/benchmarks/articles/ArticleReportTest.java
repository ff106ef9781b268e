package io.tidemark.benchmarks.articles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArticleReportTest {

  @Test
  void theResultsHaveEveryRoundAndTheArticlesFigure(@TempDir Path directory) throws Exception {
    var figure =
        new Figure(
            "encode", "encoder new", "ours", "ops", List.of(3., 1., 2.), OptionalDouble.of(9));
    var chart = new BarChart("title", "ops", Axis.LINEAR);
    chart.group("encode");
    chart.bar("ours", 2);
    var table = new Table("Encoders", "case", "ops");
    table.row("encoder new", "2.0");
    var outcome =
        new Outcome(
            List.of(figure), List.of(table), Map.of("results", chart), Map.of("warmUpMs", 350));

    new ArticleReport("avro-benchmark", outcome, Map.of("cores", 2)).write(directory);

    JsonNode json = new ObjectMapper().readTree(directory.resolve("results.json").toFile());
    assertThat(json.at("/run/cores").asInt()).isEqualTo(2);
    assertThat(json.at("/settings/warmUpMs").asInt()).isEqualTo(350);
    assertThat(json.at("/figures/0/rounds").toString()).isEqualTo("[3.0,1.0,2.0]");
    assertThat(json.at("/figures/0/median").asDouble()).isEqualTo(2);
    assertThat(json.at("/figures/0/article").asDouble()).isEqualTo(9);
    assertThat(directory.resolve("results.svg")).isRegularFile();
    assertThat(Files.readString(directory.resolve("results.md")))
        .contains("![results](results.svg)", "| encoder new | 2.0 |", "- cores: 2");
  }
}
