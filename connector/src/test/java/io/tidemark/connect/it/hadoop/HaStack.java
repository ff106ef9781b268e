package io.tidemark.connect.it.hadoop;

import io.tidemark.stack.Hdfs;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * HDFS with two name nodes and three journal nodes. {@link Hdfs} has what a test of outages needs:
 * {@code failOver}, {@code killActive}, {@code suspendActive}, {@code activate}.
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
    return new HaStack(
        LocalStack.builder()
            .directory(newDirectory())
            .firstCompilerOnly()
            .nameNodes(2)
            .with(Service.HDFS)
            .start());
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
