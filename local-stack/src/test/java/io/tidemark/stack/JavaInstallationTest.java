package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaInstallationTest {
  @TempDir private Path folder;

  @Test
  void javaOfThisJvmIsFound() {
    int feature = Runtime.version().feature();
    assertThat(JavaInstallation.atLeast(feature))
        .hasValueSatisfying(java -> assertThat(java.feature()).isEqualTo(feature));
    assertThat(JavaInstallation.atLeast(1_000)).isEmpty();
  }

  @Test
  void featureReleaseIsReadFromTheFolder() throws Exception {
    install("21.0.5");
    assertThat(JavaInstallation.in(folder)).contains(new JavaInstallation(folder, 21));
    install("25");
    assertThat(JavaInstallation.in(folder)).contains(new JavaInstallation(folder, 25));
  }

  @Test
  void folderOfSomethingElseIsPassedOver() throws Exception {
    assertThat(JavaInstallation.in(folder)).isEmpty();
    install("1.8.0_392");
    assertThat(JavaInstallation.in(folder)).isEmpty();
  }

  private void install(String version) throws IOException {
    Path java = folder.resolve("bin/java");
    Files.createDirectories(folder.resolve("bin"));
    if (Files.notExists(java)) {
      Files.createFile(java);
    }
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        folder.resolve("release"), "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"" + version + "\"\n");
  }
}
