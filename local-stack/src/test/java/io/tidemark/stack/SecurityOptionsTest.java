package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.security.KdcKind;
import io.tidemark.stack.security.Protection;
import org.junit.jupiter.api.Test;

final class SecurityOptionsTest {

  @Test
  void usualKdcNeedsNoMoreThanAJdk() {
    assertThat(SecurityOptions.USUAL.kdc()).isEqualTo(KdcKind.KERBY);
    assertThat(SecurityOptions.USUAL.users()).first().isEqualTo(SecurityOptions.CONNECT);
  }

  @Test
  void oneOptionChangesAndTheOthersStay() {
    SecurityOptions options =
        SecurityOptions.USUAL.with(KdcKind.MIT).with(Protection.AUTHENTICATION);
    assertThat(options)
        .isEqualTo(
            new SecurityOptions(
                KdcKind.MIT, Protection.AUTHENTICATION, SecurityOptions.USUAL.users()));
  }
}
