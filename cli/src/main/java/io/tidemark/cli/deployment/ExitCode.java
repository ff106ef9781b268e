package io.tidemark.cli.deployment;

/** How the command ends, for schedulers and scripts. */
public enum ExitCode {
  /** Yes; agrees; done. */
  YES(0),
  /** No, or not yet; something differs. */
  NOT_YET(1),
  /** The command was used wrongly, or the configuration is not good. */
  USAGE(2),
  /** An operator must act: it does not go on by itself. */
  OPERATOR(3),
  /** It cannot be known now: a service or the connector is away. */
  UNKNOWN(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
