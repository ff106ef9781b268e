package io.tidemark.cli.deployment;

/** Ends the command with a message for its user: place, problem, cause and cure. */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  /** Creates a failure that ends the command. */
  public CommandFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Creates a failure that ends the command, with its cause for {@code --stacktrace}. */
  public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
