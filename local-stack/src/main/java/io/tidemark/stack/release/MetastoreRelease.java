package io.tidemark.stack.release;

import java.util.Optional;

/** A release of the Hive Metastore, the oldest first. */
public enum MetastoreRelease implements Release {
  HIVE_3_1(
      17,
      "metastore-3.1",
      Optional.of("org.apache.hadoop.hive.metastore.tools.MetastoreSchemaTool")),
  /** The default release, and the only one with a HiveServer2. */
  HIVE_4_0(
      17,
      "hive",
      Optional.of("org.apache.hadoop.hive.metastore.tools.schematool.MetastoreSchemaTool")),
  /** A release without the scripts of its schema, which are not on Maven Central. */
  HIVE_4_2(21, "metastore-4.2", Optional.empty());

  private final int javaFeature;
  private final String folder;
  private final Optional<String> schemaTool;

  MetastoreRelease(int javaFeature, String folder, Optional<String> schemaTool) {
    this.javaFeature = javaFeature;
    this.folder = folder;
    this.schemaTool = schemaTool;
  }

  @Override
  public int javaFeature() {
    return javaFeature;
  }

  @Override
  public String folder() {
    return folder;
  }

  @Override
  public String artifact() {
    return "hive-exec";
  }

  /** Returns the main class that creates the schema; if there is none, the Metastore creates it. */
  public Optional<String> schemaTool() {
    return schemaTool;
  }
}
