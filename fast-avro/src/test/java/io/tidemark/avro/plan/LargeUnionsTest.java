package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * Avro's library compares each record of a writer's union with each of the reader's, in all their
 * fields. With 300 records the comparisons exhaust a heap, or take minutes.
 */
final class LargeUnionsTest {
  private static final Duration SECONDS = Duration.ofSeconds(10);

  @Test
  void recordsInAnotherOrderAreFoundByTheirNames() {
    Schema reader = union(300, 30, "", false);
    Plan plan =
        assertTimeoutPreemptively(
            SECONDS, () -> Planner.plan(union(300, 30, "", true), reader, List.of()));
    assertThat(plan.unresolvable()).isEmpty();
    assertThat(plan.copies()).isFalse();
  }

  @Test
  void recordsOfOtherNamesAreRefused() {
    assertTimeoutPreemptively(
        SECONDS,
        () ->
            assertThatThrownBy(
                    () ->
                        Planner.plan(
                            union(300, 30, "x", false), union(300, 30, "", false), List.of()))
                .isInstanceOf(IncompatibleSchemasException.class)
                .hasMessageContaining("field \"a\": Fx0 cannot be read as [F0, F1, "));
  }

  /** 27 unions of 300 records each have 2.4 million pairs, more than a heap can remember. */
  @Test
  void unionsOfTooManyPairsAreRefused() {
    assertTimeoutPreemptively(
        SECONDS,
        () ->
            assertThatThrownBy(() -> Planner.plan(unions(27, "x"), unions(27, ""), List.of()))
                .isInstanceOf(IncompatibleSchemasException.class)
                .hasMessageContaining("its unions have too many pairs of records"));
  }

  /** Records whose names differ only in their namespaces match in any order. */
  @Test
  void recordsOfOtherNamespacesAreFound() {
    Schema moved =
        new Schema.Parser()
            .parse(
                union(300, 30, "", true).toString().replaceFirst("\\{", "{\"namespace\":\"x\","));
    Plan plan =
        assertTimeoutPreemptively(
            SECONDS, () -> Planner.plan(moved, union(300, 30, "", false), List.of()));
    assertThat(plan.unresolvable()).isEmpty();
  }

  private static Schema unions(int fields, String mark) {
    return new Schema.Parser()
        .parse(
            IntStream.range(0, fields)
                .mapToObj(
                    field ->
                        IntStream.range(0, 300)
                            .mapToObj(i -> record("F" + mark + field + "_" + i, 0))
                            .collect(
                                Collectors.joining(
                                    ",", "{\"name\":\"a" + field + "\",\"type\":[", "]}")))
                .collect(
                    Collectors.joining(
                        ",", "{\"type\":\"record\",\"name\":\"R\",\"fields\":[", "]}")));
  }

  /** A union of records, each of which has fields that are records of its own. */
  private static Schema union(int branches, int records, String mark, boolean backwards) {
    return new Schema.Parser()
        .parse(
            IntStream.range(0, branches)
                .map(i -> backwards ? branches - 1 - i : i)
                .mapToObj(i -> record("F" + mark + i, records))
                .collect(
                    Collectors.joining(
                        ",",
                        "{'type':'record','name':'R','fields':[{'name':'a','type':["
                            .replace('\'', '"'),
                        "]}]}")));
  }

  private static String record(String name, int records) {
    return IntStream.range(0, records)
        .mapToObj(
            i ->
                "{'name':'f%d','type':{'type':'record','name':'%s_%d','fields':[]}}"
                    .formatted(i, name, i))
        .collect(
            Collectors.joining(
                ",", "{'type':'record','name':'%s','fields':[".formatted(name), "]}"))
        .replace('\'', '"');
  }
}
