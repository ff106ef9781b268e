package io.tidemark.stack.release;

/** A release of a server. */
public interface Release {

  /** Returns the oldest Java that runs it: by default the one that this project needs. */
  default int javaFeature() {
    return 17;
  }

  /** Returns its folder in {@code local-stack/servers}. Example: {@code kafka-3.6}. */
  String folder();

  /** Returns the start of the name of the jar whose name has its version. */
  String artifact();
}
