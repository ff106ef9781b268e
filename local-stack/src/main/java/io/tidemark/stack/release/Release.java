package io.tidemark.stack.release;

/** A release of a server. */
public interface Release {

  /** The oldest Java that runs it: mostly that which this project needs itself. */
  default int javaFeature() {
    return 17;
  }

  /** Its folder in {@code local-stack/servers}. Example: {@code kafka-3.6}. */
  String folder();

  /** The beginning of the name of the jar that bears its version. */
  String artifact();
}
