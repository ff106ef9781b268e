package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.hadoop.HaLanding.Outage;
import io.tidemark.connect.it.hadoop.HaLanding.Step;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.NameNode;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A name service of three name nodes. */
@Isolated
@Tag("exclusive")
@Tag("long")
final class ThreeNameNodesIT {
  private static HaStack stack;

  @BeforeAll
  static void start() {
    stack = HaStack.start(3);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @AfterEach
  void mend() {
    stack.mend();
  }

  /** The second one is down before, so that the client must find the third. */
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"WRITE", "APPEND", "PUBLISH"})
  void recordsLandOnceWhileTwoOfThreeNameNodesAreKilled(Step step) throws Exception {
    Hdfs hdfs = stack.hdfs();
    List<NameNode> nodes = hdfs.nameNodes();
    assertThat(nodes).hasSize(3);
    NameNode active = hdfs.active();
    NameNode down = hdfs.otherThan(active);
    down.process().kill();
    try (HaLanding landing = new HaLanding(stack)) {
      landing.lands(step, Outage.KILL);
    }
    assertThat(nodes.stream().filter(hdfs::isActive)).doesNotContain(active, down).hasSize(1);
  }
}
