package io.tidemark.stack.release;

/** A release of HDFS, the oldest first. */
public enum HadoopRelease implements Release {
  HADOOP_3_3("hadoop-3.3"),
  /** The default release. */
  HADOOP_3_4("hadoop");

  private final String folder;

  HadoopRelease(String folder) {
    this.folder = folder;
  }

  @Override
  public String folder() {
    return folder;
  }

  @Override
  public String artifact() {
    return "hadoop-hdfs";
  }
}
