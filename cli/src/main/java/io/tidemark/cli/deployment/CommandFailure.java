package io.tidemark.cli.deployment;

/** The command ends with a problem that its user reads: place, problem, cause and cure. */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  /** A failure that ends the command. */
  public CommandFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A failure that ends the command, with what caused it for {@code --stacktrace}. */
  public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
