package io.tidemark.stack.release;

import java.nio.file.Path;
import java.util.List;

/** A release of the schema registry with the REST API of Confluent's, the oldest first. */
public enum RegistryRelease implements Release {
  /** Apicurio Registry 2.6, the default release. */
  APICURIO_2(17, "apicurio", "*-runner.jar", "io.quarkus.runner.GeneratedMain") {
    @Override
    public List<String> databaseOptions(Path file) {
      return List.of(
          "-Dquarkus.datasource.jdbc.url=" + jdbcUrl(file),
          // On a busy machine a connection takes more than the 5 s of the default.
          "-Dquarkus.datasource.jdbc.acquisition-timeout=60S",
          "-Dquarkus.datasource.jdbc.initial-size=2",
          "-Dquarkus.datasource.jdbc.min-size=2");
    }
  },
  /** Apicurio Registry 3.3. */
  APICURIO_3(21, "apicurio-3", "quarkus-run.jar", "io.quarkus.bootstrap.runner.QuarkusEntryPoint") {
    @Override
    public List<String> databaseOptions(Path file) {
      return List.of("-Dapicurio.datasource.url=" + jdbcUrl(file));
    }
  };

  private final int javaFeature;
  private final String directory;
  private final String jar;
  private final String mainClass;

  RegistryRelease(int javaFeature, String directory, String jar, String mainClass) {
    this.javaFeature = javaFeature;
    this.directory = directory;
    this.jar = jar;
    this.mainClass = mainClass;
  }

  @Override
  public int javaFeature() {
    return javaFeature;
  }

  @Override
  public String folder() {
    return "registry";
  }

  @Override
  public String artifact() {
    return "apicurio-registry-app";
  }

  /** Returns the directory into which the build unpacks it. */
  public String directory() {
    return directory;
  }

  /** Returns the pattern of the name of its main jar. */
  public String jar() {
    return jar;
  }

  public String mainClass() {
    return mainClass;
  }

  /** Returns the options that set its database file. */
  public abstract List<String> databaseOptions(Path file);

  private static String jdbcUrl(Path file) {
    return "jdbc:h2:file:" + file + ";WRITE_DELAY=0";
  }
}
