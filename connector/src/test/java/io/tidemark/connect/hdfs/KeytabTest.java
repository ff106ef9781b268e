package io.tidemark.connect.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeytabTest {
  @TempDir Path directory;

  private static Keytab of(String principal, Path file) {
    return Keytab.of(principal, file.toString(), Duration.ofHours(1));
  }

  @Test
  void hostOfThePrincipalIsThisMachine() throws IOException {
    String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);

    assertThat(of("connect/_HOST@EXAMPLE.COM", directory).principal())
        .isEqualTo("connect/" + host + "@EXAMPLE.COM");
  }

  @Test
  void textThatIsNoPrincipalIsRefused() {
    assertThatThrownBy(() -> of("/@EXAMPLE.COM", directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("connect.hdfs.principal /@EXAMPLE.COM is not a principal: ")
        .hasMessageEndingWith(
            "Write name@REALM or name/host@REALM; without a realm it needs default_realm in krb5.conf.");
  }

  @Test
  void fileWithTheKeyHasNoProblem() throws IOException {
    Path file = KeytabFixture.write(directory.resolve("alice.keytab"), "alice", "EXAMPLE.COM");

    assertThat(of("alice@EXAMPLE.COM", file).problem()).isEmpty();
  }

  @Test
  void fileOfAnotherPrincipalIsNamedWithBoth() throws IOException {
    Path file = KeytabFixture.write(directory.resolve("alice.keytab"), "alice", "EXAMPLE.COM");

    assertThat(of("bob@EXAMPLE.COM", file).problem())
        .hasValue(
            file
                + " contains no key of bob@EXAMPLE.COM that Java supports. See klist -kte for its principals and types of keys, and correct the file or connect.hdfs.principal.");
  }

  @Test
  void fileThatIsMissingIsNamedAndIsNoLogin() {
    Keytab keytab = of("alice@EXAMPLE.COM", directory.resolve("none"));
    String problem =
        directory.resolve("none")
            + " is not a file that the user "
            + System.getProperty("user.name")
            + " may read on this machine. Put the keytab there on every Connect worker, readable by the user of the worker only.";

    assertThat(keytab.problem()).hasValue(problem);
    assertThatThrownBy(keytab::login)
        .isInstanceOf(IOException.class)
        .hasMessage("the login of alice@EXAMPLE.COM failed: " + problem);
  }
}
