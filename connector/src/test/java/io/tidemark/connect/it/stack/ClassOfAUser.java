package io.tidemark.connect.it.stack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Puts a class into the plugin's directory, next to the connector's jars, as a user does. */
final class ClassOfAUser {

  private ClassOfAUser() {}

  /**
   * An archive with a jar of one class, which is unpacked over the plugin's own archive.
   *
   * @param directory the directory in which it is written
   */
  static Path archive(Path pluginArchive, Class<?> ofTheUser, Path directory) {
    try (ZipFile plugin = new ZipFile(pluginArchive.toFile())) {
      String top = plugin.stream().findFirst().orElseThrow().getName().split("/", 2)[0];
      Path archive = directory.resolve("class-of-a-user.zip");
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
        zip.putNextEntry(new ZipEntry(top + "/lib/class-of-a-user.jar"));
        zip.write(jar(ofTheUser));
        zip.closeEntry();
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] jar(Class<?> ofTheUser) throws IOException {
    String name = ofTheUser.getName().replace('.', '/') + ".class";
    ByteArrayOutputStream jar = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(jar);
        InputStream in = ofTheUser.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      zip.putNextEntry(new ZipEntry(name));
      in.transferTo(zip);
      zip.closeEntry();
    }
    return jar.toByteArray();
  }
}
