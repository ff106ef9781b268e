package io.tidemark.cli.deployment;

/** The exit code of the command, for schedulers and scripts. */
public enum ExitCode {
  /** Complete, equal or done. */
  YES(0),
  /** Not yet complete, or different. */
  NOT_YET(1),
  /** Wrong usage of the command, or an invalid configuration. */
  USAGE(2),
  /** An operator must act: the wait would not end by itself. */
  OPERATOR(3),
  /** Unknown: a service or the connector is unavailable. */
  UNKNOWN(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
