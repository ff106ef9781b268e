package io.tidemark.connect.it.faults;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.Hdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HDFS answers and refuses, until an operator corrects the cause. */
@OnRealStack
@Tag("faults")
final class HdfsRefusalsIT {

  private static final Duration REFUSING = Duration.ofSeconds(10);

  @Test
  void safeModeIsWaitedOut(RealStack stack) {
    Hdfs hdfs = stack.services().hdfs();
    try (FaultScenario scenario = FaultScenario.begin(stack, "safe-mode")) {
      hdfs.enterSafeMode();
      try {
        scenario.lasts(REFUSING);
        scenario.says("WAITING", store(stack), "safe mode");
      } finally {
        scenario.endsWith(hdfs::leaveSafeMode);
      }
      scenario.recovers();
    }
  }

  @Test
  void missingSpaceIsWaitedOut(RealStack stack) {
    Hdfs hdfs = stack.services().hdfs();
    try (FaultScenario scenario = FaultScenario.begin(stack, "out-of-quota")) {
      hdfs.limitSpace("/topics/out-of-quota", 1);
      scenario.lasts(REFUSING);
      scenario.says("REFUSED", store(stack), "quota of /topics/out-of-quota is exceeded");
      scenario.endsWith(() -> hdfs.unlimitSpace("/topics/out-of-quota"));
      scenario.recovers();
    }
  }

  @Test
  void missingPermissionIsWaitedOut(RealStack stack) {
    Hdfs hdfs = stack.services().hdfs();
    try (FaultScenario scenario = FaultScenario.begin(stack, "permission-denied")) {
      permit(hdfs, "000");
      scenario.lasts(REFUSING);
      scenario.says("REFUSED", store(stack), "Permission denied: user=" + RealStack.CONNECTOR_USER);
      scenario.endsWith(() -> permit(hdfs, "750"));
      scenario.recovers();
    }
  }

  private static String store(RealStack stack) {
    return "store.url " + stack.services().hdfs().uri();
  }

  private static void permit(Hdfs hdfs, String permission) {
    try {
      hdfs.files().setPermission("/topics/permission-denied", permission);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
