package io.tidemark.benchmarks.contenders;

import java.util.Arrays;

/** The work on the datums of a pass. */
public enum Work {
  /** Datums in, uncompressed block bytes out; all contenders that read a datum check it. */
  CHECK_COPY("check-copy"),
  /** Datums of the writer's schema in, blocks of a container file in the table's schema out. */
  REWRITE("rewrite"),
  /** Datums in, objects out. */
  DECODE("decode"),
  /** Objects in, block bytes out. */
  ENCODE("encode"),
  /** Datums in, blocks of a container file out, compressed by the codec. */
  FILE("file"),
  /**
   * Datums in, one container file out, compressed by several threads; the datums are not checked.
   */
  ONE_FILE("one-file");

  private final String label;

  Work(String label) {
    this.label = label;
  }

  /** Returns the work's name in the results. Example: {@code check-copy}. */
  public String label() {
    return label;
  }

  /** Returns the work with a label. */
  public static Work labelled(String label) {
    return Arrays.stream(values())
        .filter(work -> work.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no work \"" + label + '"'));
  }
}
