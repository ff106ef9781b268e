package io.tidemark.registry;

import io.tidemark.stack.release.RegistryRelease;

/**
 * The client and the cache against Apicurio Registry 3.3. The tests are skipped if no installed
 * Java can run it.
 */
final class Apicurio3IT extends ConfluentRegistryContract {
  Apicurio3IT() {
    super(RegistryRelease.APICURIO_3);
  }
}
