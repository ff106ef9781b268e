package io.tidemark.stack.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeytabFileTest {

  /** The rest of an entry: type of the name, time, version, type and bytes of the key. */
  private static final String KEY = "00000001" + "00000000" + "01" + "0011" + "0002" + "abcd";

  private static final String ALICE = "0001" + "0001" + "52" + "0005" + "616c696365" + KEY;
  private static final String SERVICE =
      "0002" + "0001" + "52" + "0002" + "6e6e" + "0001" + "68" + KEY;
  private static final String HOLE = "ffffffff" + "00";

  @TempDir Path folder;

  @Test
  void eachPrincipalGetsItsKeys() throws IOException {
    Path all = written("0502" + entry(ALICE) + HOLE + entry(SERVICE) + entry(ALICE));

    KeytabFile.read(all).splitInto(new Realm(folder.resolve("krb5.conf"), folder));

    assertThat(folder.resolve("alice.keytab"))
        .hasBinaryContent(bytes("0502" + entry(ALICE) + entry(ALICE)));
    assertThat(folder.resolve("nn_h.keytab")).hasBinaryContent(bytes("0502" + entry(SERVICE)));
  }

  @Test
  void otherFileIsRefused() throws IOException {
    Path other = written("0501");
    assertThatThrownBy(() -> KeytabFile.read(other))
        .isInstanceOf(IOException.class)
        .hasMessage(other + " is not a keytab of version 2");
  }

  private Path written(String hex) throws IOException {
    return Files.write(folder.resolve("all"), bytes(hex));
  }

  private static String entry(String hex) {
    return HexFormat.of().toHexDigits(hex.length() / 2) + hex;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
