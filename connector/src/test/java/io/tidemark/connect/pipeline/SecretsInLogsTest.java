package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets never appear in log lines of any level, exceptions with their causes, reasons of dead
 * letters, metrics, or answers to a configuration. This is true for all errors, also if a registry
 * repeats the secrets. The test uses a separate JVM, because the levels of the log are set at the
 * start of a JVM.
 */
final class SecretsInLogsTest {
  @TempDir Path directory;

  @Test
  void nothingThatIsSaidHoldsASecret() throws Exception {
    makeKeyStore();
    String said =
        OtherProgram.run(TasksWithSecrets.class, directory.resolve("output"), directory.toString());

    assertThat(said)
        .as("all was tried, and at every level")
        .contains(TasksWithSecrets.END, "TRACE io.tidemark", "AdminClientConfig values")
        .contains("returned HTTP 401 and rejects", "returned HTTP 403 and rejects")
        .contains("returned HTTP 429 (", "returned HTTP 500 (", "returned HTTP 302, a redirect")
        .contains("did not respond within 400 ms", "but not a schema (")
        .contains("did not send a complete HTTP response: Invalid status line")
        .contains("cannot be parsed by Avro", "cannot be reached over TLS")
        .contains("was not requested: token")
        .contains("the dead letters are [quotes-0@0: ", "the task has failed", "[hidden]")
        .contains("kafka-away", "hdfs-away", "stores-of-kafka-missing has failed")
        .contains("the login of alice@EXAMPLE.COM with ", "the Hive Metastore", "kdc-away")
        .contains("store-refused has failed", "store-with-a-user has failed")
        .contains("key-store-not-opened has failed", "TaskThreadCpuNanos=", "HeldBecause=")
        .contains("hash of string", "the dead letters are [quotes-0@1: ", "cannot be hashed");
    assertThat(said)
        .as("the salted hash is what is landed")
        .contains("hashed: [" + sha256(TasksWithSecrets.SECRET + "-saltx") + "]");
    List<String> secrets = new ArrayList<>(TasksWithSecrets.encoded());
    secrets.add(TasksWithSecrets.SECRET);
    secrets.add(TasksWithSecrets.key(directory).substring(0, TasksWithSecrets.KEY_PART));
    for (String secret : secrets) {
      assertThat(said.lines().filter(line -> line.contains(secret))).as(secret).isEmpty();
    }
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }

  private void makeKeyStore() throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                OtherProgram.jdk("keytool"),
                "-genkeypair",
                "-keystore",
                directory.resolve(TasksWithSecrets.KEY_STORE).toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                TasksWithSecrets.KEY_STORE_PASSWORD,
                "-alias",
                TasksWithSecrets.KEY_ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "2")
            .inheritIO()
            .start();
    assertThat(OtherProgram.ended(keytool)).isZero();
  }
}
