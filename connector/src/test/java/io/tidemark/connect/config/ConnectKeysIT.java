package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Keys of Connect are never reported as misspelt keys of Tidemark. */
@OnSharedStack
public final class ConnectKeysIT {

  @Test
  void noKeyOfTheWorkersIsCalledUnknown(RealStack stack) {
    check(stack);
  }

  /** Checks a worker's keys; also called for workers of other releases. */
  public static void check(RealStack stack) {
    Set<String> keys =
        new TreeSet<>(
            stack
                .connect()
                .keys(
                    ConnectorSettings.of("keys")
                        .with("topics", "keys")
                        .with("transforms", "drop")
                        .with("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter")
                        .with("transforms.drop.predicate", "old")
                        .with("predicates", "old")
                        .with(
                            "predicates.old.type",
                            "org.apache.kafka.connect.transforms.predicates.HasHeaderKey")
                        .with("predicates.old.name", "old")
                        .with("validation.connect", "false")
                        .on(stack)));
    keys.removeAll(ConnectorConfig.DEFINITION.names());
    assertThat(keys).contains("tasks.max", "errors.tolerance", "transforms.drop.negate");
    assertThat(keys).noneMatch(key -> UnknownKeys.problem(key).isPresent());
  }
}
