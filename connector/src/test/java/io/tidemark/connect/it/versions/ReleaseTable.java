package io.tidemark.connect.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.release.HadoopRelease;
import io.tidemark.stack.release.KafkaRelease;
import io.tidemark.stack.release.MetastoreRelease;
import io.tidemark.stack.release.RegistryRelease;
import io.tidemark.stack.release.Release;
import io.tidemark.stack.release.SchemaRepoRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tested releases, compared with the last column of README's table of versions. */
final class ReleaseTable {

  private static final Path README = Path.of("../README.md");

  private final List<Combination> combinations = new ArrayList<>();

  /** A service and its releases, the oldest first, with the names of the table. */
  private record Row(String service, List<String> ran, List<String> all) {

    /** The releases that ran, and all that exist. */
    static Row of(String service, Set<? extends Release> ran, Release... all) {
      return new Row(
          service,
          ran.stream().map(Row::name).toList(),
          Arrays.stream(all).map(Row::name).toList());
    }

    private static String name(Release release) {
      String product =
          release instanceof RegistryRelease
              ? "Apicurio "
              : release instanceof SchemaRepoRelease ? "schema-repo " : "";
      return product + LocalStack.versionOf(release);
    }

    String cell() {
      return String.join(", ", ran);
    }

    /** README names the releases that ran. If all ran, it names nothing else. */
    void assertIn(List<String> readme) {
      String line =
          readme.stream()
              .filter(each -> each.startsWith("| " + service + " |"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(README + " has no row for " + service));
      List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
      List<String> named = List.of(cells.get(cells.size() - 2).split(", ", -1));
      assertThat(named)
          .as("the last cell of %s in %s: it must have what ran, %s", service, README, cell())
          .containsAll(ran);
      assertThat(all).as("what can run, in the row of %s", service).containsAll(named);
    }
  }

  /** Records that a test of a combination has passed. */
  void ran(Combination combination) {
    combinations.add(combination);
  }

  /**
   * Prints the releases that ran, and compares README's table with them.
   *
   * @param planned the combinations that should run
   */
  void end(List<Combination> planned) throws IOException {
    if (combinations.size() < planned.size()) {
      return; // A test has failed and was reported.
    }
    System.out.println("versions: ran " + combinations.size() + " combinations");
    combinations.forEach(each -> System.out.println("  " + each));
    Stream.of(MetastoreRelease.values(), RegistryRelease.values())
        .flatMap(Arrays::stream)
        .filter(release -> !Combination.runs((Release) release))
        .forEach(release -> System.out.println("  not run, as no Java here runs it: " + release));
    List<Row> rows = rows();
    rows.forEach(row -> System.out.printf("| %s | %s |%n", row.service(), row.cell()));
    List<String> readme = Files.readAllLines(README);
    rows.forEach(row -> row.assertIn(readme));
  }

  private List<Row> rows() {
    Set<MetastoreRelease> metastores = ran(each -> each.releases().metastore());
    Set<RegistryRelease> registries = ran(each -> each.releases().registry());
    Row confluent = Row.of("", registries, RegistryRelease.values());
    Row avro1124 = Row.of("", Set.of(SchemaRepoRelease.values()), SchemaRepoRelease.values());
    return List.of(
        Row.of(
            "Kafka Connect workers", ran(each -> each.releases().workers()), KafkaRelease.values()),
        Row.of("Kafka brokers", ran(each -> each.releases().brokers()), KafkaRelease.values()),
        Row.of("HDFS", ran(each -> each.releases().hdfs()), HadoopRelease.values()),
        Row.of("Hive Metastore", metastores, MetastoreRelease.values()),
        new Row(
            "schema registry",
            Stream.concat(confluent.ran().stream(), avro1124.ran().stream()).toList(),
            Stream.concat(confluent.all().stream(), avro1124.all().stream()).toList()));
  }

  private <T extends Comparable<T>> Set<T> ran(Function<Combination, T> member) {
    Set<T> members = new TreeSet<>();
    combinations.forEach(each -> members.add(member.apply(each)));
    return members;
  }
}
