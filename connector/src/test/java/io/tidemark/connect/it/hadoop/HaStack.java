package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.ForcedFiles;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;

/**
 * HDFS with two or more name nodes and three journal nodes. {@link Hdfs} has what a test of outages
 * needs: {@code failOver}, {@code killActive}, {@code suspendActive}, {@code activate}.
 */
public final class HaStack extends HadoopStack {

  /** A client that notices a failover within a second, and a name node that hangs within five. */
  private static final Map<String, String> QUICK =
      Map.of(
          "dfs.client.failover.sleep.base.millis", "50",
          "dfs.client.failover.sleep.max.millis", "500",
          "dfs.client.failover.max.attempts", "100",
          "ipc.client.rpc-timeout.ms", "5000");

  private HaStack(LocalStack services) {
    super(services);
  }

  static HaStack start() {
    return start(2);
  }

  /** Starts the stack, if possible with a record of what its servers force to their disks. */
  static HaStack start(int nameNodes) {
    LocalStack.Builder builder =
        LocalStack.builder()
            .directory(newDirectory())
            .firstCompilerOnly()
            .nameNodes(nameNodes)
            .with(Service.HDFS);
    if (ForcedFiles.canBeRecorded()) {
      builder.recordForcedFiles();
    }
    return new HaStack(builder.start());
  }

  /**
   * Returns HDFS for a test of what its servers force to their disks, which needs strace. Without
   * it the test is skipped; with {@code CI=true} it fails.
   */
  Hdfs hdfsWithForcedFiles() {
    boolean canBeRecorded = ForcedFiles.canBeRecorded();
    if ("true".equals(System.getenv("CI"))) {
      assertThat(canBeRecorded).as("this needs strace, and the right to trace").isTrue();
    }
    Assumptions.assumeTrue(canBeRecorded, "strace is not installed, or may not trace");
    return hdfs();
  }

  @Override
  public Configuration configuration(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(QUICK);
    all.putAll(settings);
    return super.configuration(all);
  }

  public Hdfs hdfs() {
    return services().hdfs();
  }

  @Override
  void mend() {
    hdfs().mend();
  }
}
