package io.tidemark.stack;

import io.tidemark.stack.release.Release;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A JDK that is installed on this machine.
 *
 * @param home its folder. Example: {@code /usr/lib/jvm/temurin-25-jdk-amd64}
 * @param feature its feature release. Example: 25
 */
public record JavaInstallation(Path home, int feature) {

  /** Returns the Java that runs this program. */
  public static JavaInstallation ofThisJvm() {
    return new JavaInstallation(
        Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  /**
   * Returns the Java of this JVM if it is of the given feature release or later. Otherwise returns
   * the oldest such Java in the directories that contain this JVM's home and {@code JAVA_HOME}.
   */
  public static Optional<JavaInstallation> atLeast(int feature) {
    JavaInstallation own = ofThisJvm();
    return own.feature() >= feature
        ? Optional.of(own)
        : neighbours().stream()
            .filter(java -> java.feature() >= feature)
            .min(Comparator.comparingInt(JavaInstallation::feature));
  }

  /** Returns the newest Java of those that {@link #atLeast} examines. */
  public static JavaInstallation newest() {
    return neighbours().stream()
        .max(Comparator.comparingInt(JavaInstallation::feature))
        .orElseGet(JavaInstallation::ofThisJvm);
  }

  /** Returns the Java that runs a release of a server, see {@link #atLeast}. */
  static JavaInstallation of(Release release) {
    return atLeast(release.javaFeature())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s needs Java %d or later, and none is installed next to this one or in JAVA_HOME"
                        .formatted(release, release.javaFeature())));
  }

  private static List<JavaInstallation> neighbours() {
    List<JavaInstallation> found = new ArrayList<>();
    List<Path> homes = new ArrayList<>(List.of(ofThisJvm().home()));
    Optional.ofNullable(System.getenv("JAVA_HOME")).map(Path::of).ifPresent(homes::add);
    for (Path home : homes) {
      Path around = home.toAbsolutePath().getParent();
      if (around != null && Files.isDirectory(around)) {
        try (DirectoryStream<Path> neighbours = Files.newDirectoryStream(around)) {
          neighbours.forEach(neighbour -> in(neighbour).ifPresent(found::add));
        } catch (IOException e) {
          throw new UncheckedIOException(around + " cannot be read", e);
        }
      }
    }
    return found;
  }

  /** Returns the Java in a folder, by its file {@code release}: {@code JAVA_VERSION="21.0.5"}. */
  static Optional<JavaInstallation> in(Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin").resolve("java")) || !Files.isReadable(release)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (InputStream lines = Files.newInputStream(release)) {
      properties.load(lines);
      String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
      return Optional.of(new JavaInstallation(home, Runtime.Version.parse(version).feature()));
    } catch (IOException e) {
      throw new UncheckedIOException(release + " cannot be read", e);
    } catch (IllegalArgumentException e) {
      // Such as 1.8.0_392: older than Java 9, and too old for all servers.
      return Optional.empty();
    }
  }
}
