package io.tidemark.registry;

import io.tidemark.stack.release.RegistryRelease;

/**
 * The client and the cache against Apicurio Registry 3.3. It is skipped where no Java is installed
 * that runs it.
 */
final class Apicurio3IT extends ConfluentRegistryContract {
  Apicurio3IT() {
    super(RegistryRelease.APICURIO_3);
  }
}
