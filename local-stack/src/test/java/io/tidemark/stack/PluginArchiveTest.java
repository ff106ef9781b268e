package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginArchiveTest {

  @TempDir private Path directory;

  @Test
  void archiveIsUnpackedWithItsFolders() throws IOException {
    Path plugins = directory.resolve("plugins");
    assertThat(archiveOf("plugin/lib/a.jar").unpackInto(plugins)).isEqualTo(plugins);
    assertThat(plugins.resolve("plugin/lib/a.jar")).hasContent("plugin/lib/a.jar");
  }

  @Test
  void entryOutsideOfTheFolderIsRefused() throws IOException {
    PluginArchive archive = archiveOf("../escaped.jar");
    assertThatThrownBy(() -> archive.unpackInto(directory.resolve("plugins")))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("../escaped.jar is outside of the archive");
    assertThat(directory.resolve("escaped.jar")).doesNotExist();
  }

  private PluginArchive archiveOf(String entry) throws IOException {
    Path file = directory.resolve("plugin.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(entry.getBytes(StandardCharsets.UTF_8));
    }
    return new PluginArchive(file);
  }
}
