package io.tidemark.benchmarks.contenders;

import java.util.Arrays;

/** What is done with the datums of a pass. */
public enum Work {
  /** Datums in, uncompressed block bytes out; everything that reads a datum checks it. */
  CHECK_COPY("check-copy"),
  /** Datums of the writer's schema in, blocks of a container file in the table's schema out. */
  REWRITE("rewrite"),
  /** Datums in, objects out. */
  DECODE("decode"),
  /** Objects in, block bytes out. */
  ENCODE("encode"),
  /** Datums in, blocks of a container file out, compressed by the codec. */
  FILE("file");

  private final String label;

  Work(String label) {
    this.label = label;
  }

  /** The work as the results name it. Example: {@code check-copy}. */
  public String label() {
    return label;
  }

  /** The work of a label. */
  public static Work labelled(String label) {
    return Arrays.stream(values())
        .filter(work -> work.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no work \"" + label + '"'));
  }
}
