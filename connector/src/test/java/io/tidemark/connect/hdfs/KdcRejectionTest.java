package io.tidemark.connect.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a KDC that rejects a login is reported as. The KDC answers each request with one error. */
@Isolated
final class KdcRejectionTest {
  private static final String KRB5_CONF = "java.security.krb5.conf";
  private static final String REALM = "EXAMPLE.COM";

  @TempDir Path directory;

  private DatagramSocket kdc;
  private String usual;
  private HadoopUser alice;
  private volatile int error;

  @BeforeEach
  void start() throws IOException {
    kdc = new DatagramSocket(0, InetAddress.getByName("localhost"));
    Thread answers = new Thread(this::answer, "kdc");
    answers.setDaemon(true);
    answers.start();
    Path conf =
        Files.writeString(
            directory.resolve("krb5.conf"),
            """
            [libdefaults]
              default_realm = EXAMPLE.COM
            [realms]
              EXAMPLE.COM = {
                kdc = localhost:%d
              }
            """
                .formatted(kdc.getLocalPort()));
    usual = System.setProperty(KRB5_CONF, conf.toString());
    Path key = KeytabFixture.write(directory.resolve("alice.keytab"), "alice", REALM);
    Keytab keytab = Keytab.of("alice@" + REALM, key.toString(), Duration.ofHours(1));
    alice = new HadoopUser(Optional.of(keytab), Optional.empty());
  }

  /** A login lets Java read the configuration of Kerberos anew. */
  @AfterEach
  void stop() {
    System.setProperty(KRB5_CONF, usual);
    assertThatThrownBy(() -> alice.keytab().orElseThrow().login()).isInstanceOf(IOException.class);
    kdc.close();
    UserGroupInformation.reset();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          37 | Clock skew too great | The clocks of this worker and of the KDC or the service differ by more than five minutes. Synchronize them.
          6 | Client not found in Kerberos database | Correct connect.hdfs.principal, or create it.
          24 | Pre-authentication information was invalid | Export a new keytab to every worker.
          18 | Clients credentials have been revoked | The KDC did not answer, or rejected the login as the message says.
          """)
  void rejectedLoginIsAWaitWithItsCauseAndCure(int code, String cause, String cure)
      throws IOException {
    error = code;
    try (Storage storage =
        new HdfsConnection(URI.create("hdfs://localhost:1"), Optional.empty(), Map.of(), alice)
            .open()) {
      assertThatThrownBy(() -> storage.find(new StoragePath("/logs")))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("hdfs://localhost:1: the login of alice@EXAMPLE.COM with ")
          .hasMessageContaining(cause)
          .hasMessageContaining(cure)
          .hasMessageEndingWith("The call is retried.");
    }
  }

  private void answer() {
    try {
      while (true) {
        DatagramPacket request = new DatagramPacket(new byte[4_096], 4_096);
        kdc.receive(request);
        byte[] answer = krbError(error);
        kdc.send(new DatagramPacket(answer, answer.length, request.getSocketAddress()));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  /** The message KRB-ERROR of RFC 4120, section 5.9.1. */
  private static byte[] krbError(int code) {
    byte[] service =
        tagged(
            0x30,
            tagged(0xa0, integer(2)),
            tagged(0xa1, tagged(0x30, text(0x1b, "krbtgt"), text(0x1b, REALM))));
    return tagged(
        0x7e,
        tagged(
            0x30,
            tagged(0xa0, integer(5)),
            tagged(0xa1, integer(30)),
            tagged(0xa4, text(0x18, "20261201000000Z")),
            tagged(0xa5, integer(0)),
            tagged(0xa6, integer(code)),
            tagged(0xa9, text(0x1b, REALM)),
            tagged(0xaa, service)));
  }

  private static byte[] integer(int value) {
    return tagged(0x02, new byte[] {(byte) value});
  }

  private static byte[] text(int tag, String value) {
    return tagged(tag, value.getBytes(US_ASCII));
  }

  /** A value of DER, shorter than 128 bytes. */
  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    value.write(content.size());
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }
}
