package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A warning about records that land comes once, not for each batch: {@link TasksWithWarnings}. */
final class WarningsTest {
  @TempDir private Path directory;

  @Test
  void defaultThatHiveCannotShowIsLoggedOnce() throws Exception {
    assertThat(warnings("default"))
        .singleElement()
        .asString()
        .contains(
            "Field Order.amount",
            "null and not its default 3.00, because",
            "Queries can add the default");
  }

  @Test
  void firstRecordsBefore1990AreLoggedOnce() throws Exception {
    assertThat(warnings("early"))
        .singleElement()
        .asString()
        .contains(
            "orders: ", "times before 1990", "set timestamp.unit, or topic.orders.timestamp.unit");
  }

  private List<String> warnings(String what) throws Exception {
    return OtherProgram.run(TasksWithWarnings.class, directory.resolve("output"), what)
        .lines()
        .filter(line -> line.contains("WARN"))
        .toList();
  }
}
