package io.tidemark.registry;

import io.tidemark.stack.release.RegistryRelease;

/** The client and the cache against Apicurio Registry 2.6. */
final class Apicurio2IT extends ConfluentRegistryContract {
  Apicurio2IT() {
    super(RegistryRelease.APICURIO_2);
  }
}
