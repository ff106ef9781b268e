package io.tidemark.stack;

import java.nio.file.Path;
import java.util.List;

/** A release of the schema registry with the REST API of Confluent's. */
public enum RegistryRelease {
  /** Apicurio Registry 2.6. */
  APICURIO_2(17, "apicurio", "*-runner.jar", "io.quarkus.runner.GeneratedMain") {
    @Override
    List<String> databaseOptions(Path file) {
      return List.of(
          "-Dquarkus.datasource.jdbc.url=" + jdbcUrl(file),
          "-Dquarkus.datasource.jdbc.initial-size=2",
          "-Dquarkus.datasource.jdbc.min-size=2");
    }
  },
  /** Apicurio Registry 3.3. */
  APICURIO_3(21, "apicurio-3", "quarkus-run.jar", "io.quarkus.bootstrap.runner.QuarkusEntryPoint") {
    @Override
    List<String> databaseOptions(Path file) {
      return List.of("-Dapicurio.datasource.url=" + jdbcUrl(file));
    }
  };

  private final int javaFeature;
  private final String folder;
  private final String jar;
  private final String mainClass;

  RegistryRelease(int javaFeature, String folder, String jar, String mainClass) {
    this.javaFeature = javaFeature;
    this.folder = folder;
    this.jar = jar;
    this.mainClass = mainClass;
  }

  /** The oldest Java that runs it. */
  public int javaFeature() {
    return javaFeature;
  }

  /** The folder into which the build unpacks it. */
  String folder() {
    return folder;
  }

  /** The pattern of the name of the jar that starts it. */
  String jar() {
    return jar;
  }

  String mainClass() {
    return mainClass;
  }

  /** What tells it where its database is. */
  abstract List<String> databaseOptions(Path file);

  private static String jdbcUrl(Path file) {
    return "jdbc:h2:file:" + file + ";WRITE_DELAY=0";
  }
}
