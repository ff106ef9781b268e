package io.tidemark.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The servers as the build of {@code local-stack/servers} has put them down.
 *
 * @param directory the folder with a folder for each server
 */
record InstalledServers(Path directory) {

  private static final String RESOURCE = "servers.properties";

  /** The servers that were built with this class. */
  static InstalledServers ofThisBuild() {
    try (InputStream resource = InstalledServers.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException(
            RESOURCE + " is missing beside " + InstalledServers.class + ": build local-stack");
      }
      Properties properties = new Properties();
      properties.load(resource);
      return new InstalledServers(Path.of(properties.getProperty("servers")));
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " cannot be read", e);
    }
  }

  /** The class path of a server, in one line. Example: {@code classPath("kafka")}. */
  String classPath(String server) {
    Path file = built(server, "class-path");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  /** A file or folder that the build of a server has made. */
  Path built(String server, String relativePath) {
    Path path = directory.resolve(server).resolve("target").resolve(relativePath);
    if (!Files.exists(path)) {
      throw new IllegalStateException(
          path
              + " does not exist: the servers are not built."
              + " Run mvn package -pl local-stack -am -DskipTests");
    }
    return path;
  }
}
