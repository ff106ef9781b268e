package io.tidemark.connect.it.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The permissions in HDFS that docs/OPERATIONS.md lists are sufficient. */
@OnRealStack
final class PermissionsIT {
  private static final int ANY_ROWS = 200;

  /**
   * The worker's user owns the three directories; Hive's, in the group of the tables, reads two of
   * them. A user outside the group reads no table.
   */
  @Test
  void directoriesOfTheWorkersUserAreEnoughAndItsGroupReadsTheTables(RealStack stack)
      throws IOException {
    SourceTopic topic = stack.topic("readable", 2);
    topic.send(Readings.V1, 0, ANY_ROWS);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("readable", topic).with("completeness.interval.ms", 1_000));
    connector.landsExactly();
    WebHdfs superuser = stack.services().hdfs().files();
    WebHdfs hive = stack.services().hdfs().filesAs(Hdfs.READERS);
    Polling.until(
        "the ledger's tables have files",
        RealStack.DEADLINE,
        () -> files(superuser, "/ledger/hive").isEmpty() ? Optional.of("none") : Optional.empty());
    connector.stop(); // Nothing is written during the reading.

    for (String directory : List.of(connector.table(topic).root(), "/ledger/hive")) {
      List<WebHdfs.Entry> files = hive.walk(directory);
      assertThat(files).isNotEmpty();
      for (WebHdfs.Entry file : files) {
        // For a file that is still being written, HDFS lists fewer bytes than it has.
        assertThat(hive.read(file.path())).hasSizeGreaterThanOrEqualTo((int) file.lengthBytes());
      }
      assertThatThrownBy(() -> hive.write(directory + "/x", new byte[] {1}))
          .hasMessageContaining("Permission denied: user=hive, access=WRITE");
    }
    assertThatThrownBy(() -> hive.list("/logs"))
        .hasMessageContaining("Permission denied: user=hive");

    WebHdfs other = stack.services().hdfs().filesAs("other");
    for (String closed : List.of("/logs", "/topics", connector.table(topic).root())) {
      assertThatThrownBy(() -> other.list(closed))
          .hasMessageContaining("Permission denied: user=other");
    }
  }

  private static List<WebHdfs.Entry> files(WebHdfs hdfs, String directory) {
    try {
      return hdfs.walk(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
