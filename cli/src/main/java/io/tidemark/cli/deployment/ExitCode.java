package io.tidemark.cli.deployment;

/** The exit codes of the command, for schedulers and scripts. */
public enum ExitCode {
  /** Complete, equal or done. */
  YES(0),
  /** Not yet complete, or different. */
  NOT_YET(1),
  /** Wrong usage, or an invalid configuration. */
  USAGE(2),
  /** An operator must act: the connector cannot continue without help. */
  OPERATOR(3),
  /** Unknown: a service is unavailable, or the connector does not run. */
  UNKNOWN(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
