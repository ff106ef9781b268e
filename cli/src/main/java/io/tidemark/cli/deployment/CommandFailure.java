package io.tidemark.cli.deployment;

/** A failure that ends the command. Its message has place, problem, cause and cure. */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  public CommandFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Creates a failure with its cause, which {@code --stacktrace} shows. */
  public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
