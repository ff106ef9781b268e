package io.tidemark.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A released plugin of Connect: a zip archive whose top folder belongs into plugin.path. */
public record PluginArchive(Path file) {

  /** Unpacks the archive into a folder of plugins and returns the folder. */
  public Path unpackInto(Path pluginPath) {
    try (InputStream bytes = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(bytes)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = pluginPath.resolve(entry.getName()).normalize();
        if (!target.startsWith(pluginPath)) {
          throw new IOException(entry.getName() + " is outside of the archive");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
        }
      }
      return pluginPath;
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be unpacked into " + pluginPath, e);
    }
  }
}
