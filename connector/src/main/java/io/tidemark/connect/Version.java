package io.tidemark.connect;

/** The version of this plugin, from its archive's manifest. */
final class Version {

  /**
   * Example: {@code 0.1.0}. {@code "unreleased"} if the classes were not loaded from an archive.
   */
  static final String CURRENT = read();

  private Version() {}

  private static String read() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }
}
