package io.tidemark.connect;

import java.util.Optional;

/** The version of this plugin, from its archive's manifest. */
final class Version {

  /** Example: {@code 0.1.0}. {@code unreleased} if the classes were not loaded from an archive. */
  static final String CURRENT =
      Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
          .orElse("unreleased");

  private Version() {}
}
