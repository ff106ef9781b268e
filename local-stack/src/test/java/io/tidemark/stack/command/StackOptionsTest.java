package io.tidemark.stack.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StackOptionsTest {

  @Test
  void superviseTakesARootAndAPort() {
    StackOptions options =
        StackOptions.parse(List.of("supervise", "--root", "/project", "--debug", "5005"));
    assertThat(options.action()).isEqualTo(StackOptions.Action.SUPERVISE);
    assertThat(options.paths().state()).isEqualTo(Path.of("/project/target/stack/stack.json"));
    assertThat(options.debugPort()).hasValue(5005);
  }

  @Test
  void servicesAreSecuredAndHighlyAvailableOnlyIfAsked() {
    StackOptions both =
        StackOptions.parse(List.of("supervise", "--secure", "--ha", "--root", "/p"));
    assertThat(both.secure()).isTrue();
    assertThat(both.highlyAvailable()).isTrue();
    assertThat(both.paths().root()).isEqualTo(Path.of("/p"));
    StackOptions neither = StackOptions.parse(List.of("supervise"));
    assertThat(neither.secure()).isFalse();
    assertThat(neither.highlyAvailable()).isFalse();
  }

  @Test
  void workerListensForNoDebuggerUnlessAsked() {
    assertThat(StackOptions.parse(List.of("status")).debugPort()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "-1", "port", ""})
  void portsThatDoNotExistAreRefused(String port) {
    assertThatThrownBy(() -> StackOptions.parse(List.of("supervise", "--debug", port)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--debug %s: a port is a whole number from 1 to 65535", port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "restart", "status --all x", "down --root"})
  void unknownArgumentsAreRefused(String line) {
    List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" ", -1));
    assertThatThrownBy(() -> StackOptions.parse(arguments))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
