package io.tidemark.stack;

import io.tidemark.stack.release.RegistryRelease;
import io.tidemark.stack.release.Release;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The servers that the build of {@code local-stack/servers} has installed.
 *
 * @param directory the folder with a folder for each server
 */
record InstalledServers(Path directory) {

  private static final String RESOURCE = "servers.properties";

  /** Returns the servers that were built with this class. */
  static InstalledServers ofThisBuild() {
    try (InputStream resource = InstalledServers.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException(
            RESOURCE
                + " is missing in the package of "
                + InstalledServers.class
                + ": build local-stack");
      }
      Properties properties = new Properties();
      properties.load(resource);
      return new InstalledServers(Path.of(properties.getProperty("servers")));
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " cannot be read", e);
    }
  }

  /** Returns the class path of a server. Example: {@code classPath("kafka")}. */
  String classPath(String server) {
    Path file = built(server, "class-path");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  /**
   * Returns the version of a release, from the name of its jar.
   *
   * <p>Examples: 3.6.2 of {@code connect-runtime-3.6.2.jar}, 2.6.13.Final of {@code
   * apicurio-registry-app-2.6.13.Final-runner.jar}.
   */
  String version(Release release) {
    Pattern jar =
        Pattern.compile(
            "[/\\\\]%s-([0-9][^/\\\\]*?)(-runner)?\\.jar$".formatted(release.artifact()),
            Pattern.MULTILINE);
    Matcher found = jar.matcher(String.join("\n", jars(release)));
    if (!found.find()) {
      throw new IllegalStateException(
          release + " has no jar " + release.artifact() + ": rebuild local-stack/servers");
    }
    return found.group(1);
  }

  private List<String> jars(Release release) {
    if (!(release instanceof RegistryRelease registry)) {
      return List.of(classPath(release.folder()).split(File.pathSeparator, -1));
    }
    Path directory = built(release.folder(), registry.directory());
    try (Stream<Path> files = Files.walk(directory)) {
      return files.map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be read", e);
    }
  }

  /** Returns the folder of the build of a server. */
  Path target(String server) {
    return directory.resolve(server).resolve("target");
  }

  /** Returns a file or folder that the build of a server has created. */
  Path built(String server, String relativePath) {
    Path path = target(server).resolve(relativePath);
    if (!Files.exists(path)) {
      throw new IllegalStateException(
          path
              + " does not exist: the servers are not built."
              + " Run mvn package -pl local-stack -am -DskipTests, with -Pversions for all releases");
    }
    return path;
  }
}
