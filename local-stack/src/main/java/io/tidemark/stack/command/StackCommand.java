package io.tidemark.stack.command;

import io.tidemark.stack.ServerFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;

/** The program behind the script {@code ./stack}. */
final class StackCommand {

  /** Servers are stopped in four groups; each group has 15 s before it is killed. */
  private static final Duration GRACE = Duration.ofSeconds(90);

  private StackCommand() {}

  public static void main(String[] arguments) {
    int exitCode = 1;
    try {
      exitCode = run(StackOptions.parse(Arrays.asList(arguments)));
    } catch (IllegalArgumentException e) {
      System.err.println("stack: " + e.getMessage());
      exitCode = 2;
    } catch (ServerFailedException | IllegalStateException | IOException e) {
      System.err.println("stack: " + e.getMessage());
    } catch (ExecutionException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      System.err.println("stack: " + e);
    }
    System.exit(exitCode);
  }

  private static int run(StackOptions options)
      throws IOException, InterruptedException, ExecutionException {
    StackPaths paths = options.paths();
    return switch (options.action()) {
      case SUPERVISE -> {
        new Supervisor(options).run();
        yield 0;
      }
      case STATUS -> new StatusCommand(paths.state(), System.out).run();
      case DOWN -> new DownCommand(paths.state(), GRACE, System.out).run();
    };
  }
}
